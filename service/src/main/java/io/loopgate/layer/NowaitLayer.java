package io.loopgate.layer;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.Failures;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.NowaitDirection;
import io.loopgate.sys.SystemCalls;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NOWAIT-first path: a command of a buffered volume is tried on the submitter's own thread, and
 * only what would wait goes to the engine.
 *
 * <p>After the loop driver's series of November 2025 (0ba93a906dda, hint 837ed3039646), which the
 * kernel dropped for reasons that exist only inside a kernel. As there: reads are tried first;
 * writes only where no write of the volume that may wait is queued or running, since one that races
 * an allocating write loses the inode lock anyway; a hit ends in the submitter's context; the rest
 * of a short hit, in the same slot, and what would wait go to the engine; what says that tries
 * never work here is not asked again; every other error ends the command.
 *
 * <p>{@link NowaitMode#ALWAYS} is the series before its hint: every command is tried. What {@link
 * NowaitMode#AUTO} learns on top of the hint, {@link NowaitDirection} says. A try that comes to
 * nothing is not in vain: since Linux 6.12 it starts the read-ahead.
 *
 * <p>Not for direct volumes: there the same call waits for the device whenever it succeeds.
 */
public final class NowaitLayer implements LoopEngine {
  private static final Logger LOG = LoggerFactory.getLogger(NowaitLayer.class);

  /** A slow copy from the page cache; what takes longer was for something else. */
  private static final long COPY_NANOS_PER_BYTE = 1;

  private final LoopEngine next;
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final BlockingWrites blockingWrites;
  private final NowaitDirection reads;
  private final NowaitDirection writes;
  private final boolean hinted;
  private final SystemCalls calls = SystemCalls.instance();
  private volatile boolean closed;

  /** Wraps an engine that keeps this count; {@code mode} is not {@link NowaitMode#OFF}. */
  public NowaitLayer(
      LoopEngine next,
      Backing backing,
      NowaitMode mode,
      VolumeTelemetry telemetry,
      BlockingWrites blockingWrites) {
    this.next = next;
    this.backing = backing;
    this.telemetry = telemetry;
    this.blockingWrites = blockingWrites;
    this.hinted = mode == NowaitMode.AUTO;
    this.reads = new NowaitDirection(backing.capabilities().nowaitRead().available(), hinted);
    this.writes = new NowaitDirection(backing.capabilities().nowaitWrite().available(), hinted);
  }

  @Override
  public boolean submit(BlockRequest request) {
    if (closed) {
      return false;
    }
    if (request.op() == BlockOp.READ) {
      return tryFirst(request, reads, true);
    }
    if (request.op() == BlockOp.WRITE && !request.isFua()) {
      return tryFirst(request, writes, !hinted || !blockingWrites.any());
    }
    return next.submit(request);
  }

  private boolean tryFirst(BlockRequest request, NowaitDirection direction, boolean hint) {
    // It was prepared just now, on this thread: one look at the clock less, of a microsecond's
    // work.
    long beforeNanos = request.startNanos();
    if (!hint || !direction.worthTrying(beforeNanos)) {
      telemetry.nowait(request.op(), hint ? direction.refusal() : NowaitOutcome.SKIPPED);
      return next.submit(request);
    }
    boolean watched = direction.isWatched();
    long waitsBefore = watched ? calls.threadWaits() : 0;
    long wantedBytes = request.remainingBytes();
    long step = tryNow(request);
    long afterNanos = System.nanoTime();
    boolean waited = watched && calls.threadWaits() > waitsBefore;
    long copyNanos = Math.max(0, step) * COPY_NANOS_PER_BYTE;
    NowaitOutcome outcome = outcome(step, wantedBytes);
    direction.learn(outcome, afterNanos - beforeNanos - copyNanos, waited, afterNanos);
    telemetry.nowait(request.op(), outcome);
    if (step > 0) {
      request.advance(step);
    }
    if (outcome == NowaitOutcome.HIT) {
      request.completeHere(step < 0 ? step : request.lengthBytes());
      return true;
    }
    return next.submit(request);
  }

  /** A backing that throws has a bug in its tries: the engine does without them from then on. */
  private long tryNow(BlockRequest request) {
    try {
      return backing.tryNow(request);
    } catch (RuntimeException | Error e) {
      Failures.handle(LOG, "a bug ended a try of {}; there will be no more", request, e);
      return -Errno.EOPNOTSUPP;
    }
  }

  /**
   * An error that says neither "not now" nor "never" is the command's own, found without waiting: a
   * hit. A filter of system calls may answer EPERM or ENOSYS, an old kernel EINVAL; if that was the
   * command's fault, the engine finds out.
   */
  private static NowaitOutcome outcome(long step, long wantedBytes) {
    if (step > 0) {
      return step == wantedBytes ? NowaitOutcome.HIT : NowaitOutcome.SHORT;
    }
    if (step == 0) {
      return wantedBytes == 0 ? NowaitOutcome.HIT : NowaitOutcome.AGAIN;
    }
    return switch ((int) -step) {
      case Errno.EAGAIN -> NowaitOutcome.AGAIN;
      case Errno.EOPNOTSUPP, Errno.ENOSYS, Errno.EPERM, Errno.EINVAL -> NowaitOutcome.UNSUPPORTED;
      default -> NowaitOutcome.HIT;
    };
  }

  @Override
  public int inFlight() {
    return next.inFlight();
  }

  @Override
  public boolean drain(Duration timeout) {
    return next.drain(timeout);
  }

  @Override
  public void close() {
    closed = true;
    next.close();
  }
}

package io.loopgate.layer;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.NowaitDirection;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;

/**
 * The NOWAIT-first path: a command of a buffered volume is tried on the submitter's own thread, and
 * only what would wait goes to the engine.
 *
 * <p>After the loop driver's series of November 2025 (0ba93a906dda, hint 837ed3039646), which the
 * kernel dropped for reasons that exist only inside a kernel. As there: reads are tried first;
 * writes only where no write of the volume that may wait is queued or running, since one that races
 * an allocating write loses the inode lock anyway; a hit ends in the submitter's context; the rest
 * of a short hit, EAGAIN and EOPNOTSUPP go to the engine; every other error ends the command.
 *
 * <p>Not for direct volumes: there the same call waits for the device whenever it succeeds.
 */
public final class NowaitLayer implements LoopEngine {
  private final LoopEngine next;
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final BlockingWrites blockingWrites;
  private final NowaitDirection reads;
  private final NowaitDirection writes;
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
    boolean adaptive = mode == NowaitMode.AUTO;
    this.reads = new NowaitDirection(backing.capabilities().nowaitRead().available(), adaptive);
    this.writes = new NowaitDirection(backing.capabilities().nowaitWrite().available(), adaptive);
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
      return tryFirst(request, writes, !blockingWrites.any());
    }
    return next.submit(request);
  }

  private boolean tryFirst(BlockRequest request, NowaitDirection direction, boolean hint) {
    long beforeNanos = System.nanoTime();
    if (!hint || !direction.worthTrying(beforeNanos)) {
      telemetry.nowait(request.op(), hint ? direction.refusal() : NowaitOutcome.SKIPPED);
      return next.submit(request);
    }
    long step = backing.tryNow(request);
    long afterNanos = System.nanoTime();
    NowaitOutcome outcome = outcome(step, request.remainingBytes());
    direction.learn(outcome, afterNanos - beforeNanos, afterNanos);
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

  /**
   * An error other than "not now" and "never" is the command's own, found without waiting: a hit.
   */
  private static NowaitOutcome outcome(long step, long wanted) {
    if (step == -Errno.EAGAIN || (step == 0 && wanted > 0)) {
      return NowaitOutcome.AGAIN;
    }
    if (step == -Errno.EOPNOTSUPP) {
      return NowaitOutcome.UNSUPPORTED;
    }
    return step < 0 || step == wanted ? NowaitOutcome.HIT : NowaitOutcome.SHORT;
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

package io.loopgate.engine;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What engines that run commands on threads have in common: a command is counted from submit to its
 * end, runs on whatever thread its lane has for it, and ends exactly once, whatever happens.
 *
 * <p>{@link #submit} never blocks; {@link #run} does for as long as the backing, and first for a
 * permit where the engine has more threads than commands may run at a time ({@link
 * EngineOptions#depth}).
 */
public final class EngineCommands {
  private static final Logger LOG = LoggerFactory.getLogger(EngineCommands.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final InFlight inFlight;
  private final Ends ends;
  private final BlockingWrites blockingWrites;
  private final @Nullable Semaphore permits;

  /** Begins with no command; {@code threads} is how many of its lanes may run one at a time. */
  public EngineCommands(EngineEnvironment environment, int threads) {
    this(environment, threads, new InFlight(environment.queueCapacity()));
  }

  /** The same for an engine that runs commands by other means as well and counts all together. */
  public EngineCommands(EngineEnvironment environment, int threads, InFlight inFlight) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.inFlight = inFlight;
    this.ends = new Ends(inFlight);
    this.blockingWrites = environment.blockingWrites();
    int depth = environment.options().depth();
    // Fair, so that one busy lane does not keep the others from their turn.
    this.permits = threads > depth ? new Semaphore(depth, true) : null;
  }

  /** Puts a command into a lane; see {@link LoopEngine#submit}. */
  public boolean submit(BlockRequest request, CommandLane lane) {
    if (!inFlight.tryEnter()) {
      return false;
    }
    if (handOver(request, lane, true)) {
      return true;
    }
    inFlight.leave();
    return false;
  }

  /**
   * Puts a command that is counted already into a lane. Never blocks; any thread.
   *
   * @return false if the lane does not take it: nothing happened
   */
  public boolean handOver(BlockRequest request, CommandLane lane) {
    return handOver(request, lane, false);
  }

  private boolean handOver(BlockRequest request, CommandLane lane, boolean inTurn) {
    // Counted before a thread can see it, so that it never ends before it began.
    boolean isWrite = request.op() == BlockOp.WRITE;
    if (isWrite) {
      blockingWrites.began();
    }
    if (inTurn ? lane.offerInTurn(request) : lane.offer(request)) {
      return true;
    }
    if (isWrite) {
      blockingWrites.ended();
    }
    return false;
  }

  /**
   * Runs a command to its end on this thread; throws nothing unless the JVM is broken, and then the
   * command has ended all the same.
   *
   * @return how long the backing was busy with it, in nanoseconds; 0 if it never was
   */
  public long run(BlockRequest request) {
    Semaphore taken = permits;
    if (taken == null) {
      return runPermitted(request);
    }
    try {
      taken.acquire();
    } catch (InterruptedException e) {
      // The engine was closed, and what had the permits is stuck.
      Thread.currentThread().interrupt();
      end(request, -Errno.CLOSED);
      return 0;
    }
    try {
      return runPermitted(request);
    } finally {
      taken.release();
    }
  }

  private long runPermitted(BlockRequest request) {
    long takenNanos = System.nanoTime();
    telemetry.queueWaitNanos(takenNanos - request.startNanos());
    // What is in part done goes on: a torn write is worth less than a late one.
    if (request.doneBytes() == 0 && request.isExpired(takenNanos)) {
      end(request, -Errno.DEADLINE);
      return 0;
    }
    long result = -Errno.EIO;
    long serviceNanos = 0;
    try {
      result = CommandRunner.run(backing, request);
      serviceNanos = System.nanoTime() - takenNanos;
      telemetry.serviceNanos(serviceNanos);
    } finally {
      end(request, result);
    }
    return serviceNanos;
  }

  /** Ends a command that was submitted and not run. */
  public void end(BlockRequest request, long result) {
    if (request.op() == BlockOp.WRITE) {
      blockingWrites.ended();
    }
    ends.end(request, result, null);
  }

  /** Returns how many commands were accepted and have not ended. */
  public int inFlight() {
    return inFlight.count();
  }

  /** See {@link LoopEngine#drain}. */
  public boolean drain(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }

  /** Accepts nothing more, waits for what runs, and closes the lanes; see {@link LoopEngine}. */
  public void close(CommandLane... lanes) {
    inFlight.close();
    if (!inFlight.awaitNone(CLOSE_TIMEOUT)) {
      LOG.warn(
          "{} commands are stuck in their system call; their threads are left behind",
          inFlight.count());
    }
    for (CommandLane lane : lanes) {
      lane.close();
    }
  }
}

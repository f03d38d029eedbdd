package io.loopgate.engine.uring;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.CommandRunner;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.InFlight;
import io.loopgate.telemetry.VolumeTelemetry;

/**
 * One thread that runs what a ring does not: flushes, discards, zeroing, and transfers whose result
 * was odd. A flush of a second holds up other flushes and no read.
 */
final class SlowLane {
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final BlockingWrites blockingWrites;
  private final InFlight inFlight;
  private final CommandQueue queue;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Starts the thread.
   *
   * @param inFlight what commands leave when they end; they entered before
   */
  SlowLane(String threadName, EngineEnvironment environment, InFlight inFlight) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.blockingWrites = environment.blockingWrites();
    this.inFlight = inFlight;
    this.queue = new CommandQueue(environment.queueCapacity());
    this.thread = Thread.ofPlatform().name(threadName).daemon(true).start(this::work);
  }

  /**
   * Takes a command, which ends in any case: the queue has room for all that the engine admits. Any
   * thread; never blocks.
   */
  void take(BlockRequest request) {
    // Counted before the thread can see it, so that it never ends before it began.
    if (request.op() == BlockOp.WRITE) {
      blockingWrites.began();
    }
    if (!queue.offer(request)) {
      end(request, -Errno.OVERLOADED);
    }
    if (closed) {
      dropQueued();
    }
  }

  private void work() {
    try {
      while (true) {
        run(queue.take());
      }
    } catch (InterruptedException e) {
      // The engine is closing: whatever is still queued is ended by close().
      Thread.currentThread().interrupt();
    }
  }

  private void run(BlockRequest request) {
    long takenNanos = System.nanoTime();
    telemetry.queueWaitNanos(takenNanos - request.startNanos());
    long result;
    // What a ring began is ended: a part of it may be done.
    if (request.doneBytes() == 0 && request.isExpired(takenNanos)) {
      result = -Errno.DEADLINE;
    } else {
      result = CommandRunner.run(backing, request);
      telemetry.serviceNanos(System.nanoTime() - takenNanos);
    }
    end(request, result);
  }

  private void end(BlockRequest request, long result) {
    if (request.op() == BlockOp.WRITE) {
      blockingWrites.ended();
    }
    request.completeFromAnywhere(result);
    inFlight.leave();
  }

  /** Gives the thread back once its command has ended; what is queued then is not run. */
  void close() {
    closed = true;
    thread.interrupt();
    dropQueued();
  }

  private void dropQueued() {
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      end(left, -Errno.CLOSED);
    }
  }
}

package io.loopgate.engine.aio;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.CommandRunner;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;

/**
 * A thread that runs one command after the other to its end: flush, discard and zero, which have no
 * asynchronous form, and transfers that went oddly. Apart from the worker, so that a long flush
 * delays neither reads nor what is handed over.
 */
final class SlowLane {
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final BlockingWrites blockingWrites;
  private final Ends ends;
  private final CommandQueue queue;
  private final Thread thread;

  SlowLane(String name, EngineEnvironment environment, Ends ends) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.blockingWrites = environment.blockingWrites();
    this.ends = ends;
    this.queue = new CommandQueue(environment.queueCapacity());
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  /** Takes a command; false if there is no room. Never blocks; any thread. */
  boolean offer(BlockRequest request) {
    boolean isWrite = request.op() == BlockOp.WRITE;
    if (isWrite) {
      blockingWrites.began();
    }
    boolean taken = queue.offer(request);
    if (isWrite && !taken) {
      blockingWrites.ended();
    }
    return taken;
  }

  private void work() {
    try {
      while (true) {
        run(queue.take());
      }
    } catch (InterruptedException e) {
      // The engine is closing, and has waited until nothing was left here.
      Thread.currentThread().interrupt();
    }
  }

  private void run(BlockRequest request) {
    long takenNanos = System.nanoTime();
    telemetry.queueWaitNanos(takenNanos - request.startNanos());
    long result;
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
    ends.end(request, result, null);
  }

  /** Ends what waits here and will not run any more, because the thread is stuck. */
  void abandon() {
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      end(left, -Errno.CLOSED);
    }
  }

  /** Ends the thread, which has nothing to do; returns whether it ended. */
  boolean stop(Duration timeout) {
    thread.interrupt();
    return Threads.join(thread, timeout);
  }
}

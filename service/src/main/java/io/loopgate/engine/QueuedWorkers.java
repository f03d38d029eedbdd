package io.loopgate.engine;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of platform threads that take commands from one queue and run them to their end.
 *
 * <p>Platform threads, since a blocking system call would pin a virtual thread's carrier. What
 * {@code single} and {@code workers:N} have in common; they differ in the number of threads alone,
 * as in the kernel.
 */
public final class QueuedWorkers implements LoopEngine {
  private static final Logger LOG = LoggerFactory.getLogger(QueuedWorkers.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final CommandQueue queue;
  private final InFlight inFlight;
  private final BlockingWrites blockingWrites;
  private final List<Thread> threads = new ArrayList<>();

  /** Starts {@code threadCount} threads. */
  public QueuedWorkers(String engine, int threadCount, EngineEnvironment environment) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.queue = new CommandQueue(environment.queueCapacity());
    this.inFlight = new InFlight(environment.queueCapacity());
    this.blockingWrites = environment.blockingWrites();
    for (int i = 0; i < threadCount; i++) {
      String name = "loopgate-" + engine + "-" + environment.volume() + "-" + i;
      threads.add(Thread.ofPlatform().name(name).daemon(true).start(this::work));
    }
  }

  @Override
  public boolean submit(BlockRequest request) {
    if (!inFlight.tryEnter()) {
      return false;
    }
    // Counted before a worker can see it, so that it never ends before it began.
    boolean isWrite = request.op() == BlockOp.WRITE;
    if (isWrite) {
      blockingWrites.began();
    }
    if (!queue.offer(request)) {
      if (isWrite) {
        blockingWrites.ended();
      }
      inFlight.leave();
      return false;
    }
    return true;
  }

  private void work() {
    try {
      while (true) {
        end(queue.take());
      }
    } catch (InterruptedException e) {
      // The engine is closing: whatever is still queued is ended by close().
      Thread.currentThread().interrupt();
    }
  }

  private void end(BlockRequest request) {
    long takenNanos = System.nanoTime();
    telemetry.queueWaitNanos(takenNanos - request.startNanos());
    long result;
    if (request.isExpired(takenNanos)) {
      result = -Errno.DEADLINE;
    } else {
      result = CommandRunner.run(backing, request);
      telemetry.serviceNanos(System.nanoTime() - takenNanos);
    }
    finish(request, result);
  }

  private void finish(BlockRequest request, long result) {
    if (request.op() == BlockOp.WRITE) {
      blockingWrites.ended();
    }
    request.completeFromAnywhere(result);
    inFlight.leave();
  }

  @Override
  public int inFlight() {
    return inFlight.count();
  }

  @Override
  public boolean drain(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }

  @Override
  public void close() {
    inFlight.close();
    if (!inFlight.awaitNone(CLOSE_TIMEOUT)) {
      LOG.warn(
          "{} commands are stuck in their system call; their threads are left behind",
          inFlight.count());
    }
    threads.forEach(Thread::interrupt);
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      finish(left, -Errno.CLOSED);
    }
  }
}

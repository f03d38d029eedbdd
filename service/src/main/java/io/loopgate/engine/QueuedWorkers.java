package io.loopgate.engine;

import io.loopgate.backing.Backing;
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
  private final List<Thread> threads = new ArrayList<>();

  /** Starts {@code threadCount} threads. */
  public QueuedWorkers(String engine, int threadCount, EngineEnvironment environment) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.queue = new CommandQueue(environment.queueCapacity());
    this.inFlight = new InFlight(environment.queueCapacity());
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
    if (!queue.offer(request)) {
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
      left.completeFromAnywhere(-Errno.CLOSED);
      inFlight.leave();
    }
  }
}

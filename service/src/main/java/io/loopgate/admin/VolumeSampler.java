package io.loopgate.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks volumes for their status on a thread of its own, and answers with the last known one if
 * storage does not: metrics matter most while it hangs.
 *
 * <p>{@link #sample} blocks up to the patience and belongs on a worker; several may call it.
 */
final class VolumeSampler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeSampler.class);

  private final StatusSource source;
  private final Duration patience;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("loopgate-admin-status").factory());
  private final Object lock = new Object();
  private CompletableFuture<Sample> running;
  private volatile Sample last = new Sample(List.of(), System.nanoTime());

  VolumeSampler(StatusSource source, Duration patience) {
    this.source = source;
    this.patience = patience;
    this.running = CompletableFuture.completedFuture(last);
  }

  /**
   * What volumes told.
   *
   * @param volumes the volumes, in the order of the source
   * @param takenNanos when they were asked, by {@link System#nanoTime}
   */
  record Sample(List<VolumeStatus> volumes, long takenNanos) {
    double ageSeconds() {
      return (System.nanoTime() - takenNanos) / 1e9;
    }
  }

  /** Returns the status of the volumes: fresh if they answer in time, else the last known one. */
  Sample sample() {
    try {
      return refresh().get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | RejectedExecutionException late) {
      return last;
    } catch (ExecutionException failed) {
      LOG.warn("cannot read the status of the volumes", failed.getCause());
      return last;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return last;
    }
  }

  /** Starts asking, or joins who asks already: one thread at most is stuck in storage. */
  private CompletableFuture<Sample> refresh() {
    synchronized (lock) {
      if (running.isDone()) {
        running = CompletableFuture.supplyAsync(this::ask, thread);
      }
      return running;
    }
  }

  private Sample ask() {
    long asked = System.nanoTime();
    Sample sample = new Sample(List.copyOf(source.volumes()), asked);
    last = sample;
    return sample;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

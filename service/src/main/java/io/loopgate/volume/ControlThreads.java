package io.loopgate.volume;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The few threads for work that blocks and is no data command: extents, checksums, opening,
 * resizing, deleting.
 *
 * <p>Bounded in threads and in waiting work; what finds no room is refused and answered 503.
 */
public final class ControlThreads implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int WAITING_MAX = 256;

  private final ThreadPoolExecutor pool;

  /** Starts with no thread; they come with the work and go after a minute without any. */
  public ControlThreads() {
    AtomicInteger number = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING_MAX),
            task ->
                Thread.ofPlatform()
                    .name("loopgate-control-" + number.getAndIncrement())
                    .daemon(true)
                    .unstarted(task));
    pool.allowCoreThreadTimeOut(true);
  }

  /** Runs work on one of the threads; returns false if there is no room for it. Never blocks. */
  public boolean tryRun(Runnable work) {
    try {
      pool.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  @Override
  public void close() {
    pool.shutdown();
  }
}

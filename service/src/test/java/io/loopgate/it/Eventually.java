package io.loopgate.it;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Waits for something that another process does, never longer than a deadline. */
final class Eventually {
  private static final long POLL_MILLIS = 20;

  private Eventually() {}

  /** Returns once {@code condition} holds; fails the test, naming {@code what}, after a while. */
  static void becomesTrue(String what, Duration within, BooleanSupplier condition)
      throws InterruptedException {
    var done = new CompletableFuture<Void>();
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    try {
      var _ =
          clock.scheduleWithFixedDelay(
              () -> check(condition, done), 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
      done.get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("not within " + within + ": " + what, e);
    } catch (ExecutionException e) {
      throw new AssertionError("failed while waiting: " + what, e.getCause());
    } finally {
      clock.shutdownNow();
    }
  }

  private static void check(BooleanSupplier condition, CompletableFuture<Void> done) {
    try {
      if (condition.getAsBoolean()) {
        done.complete(null);
      }
    } catch (RuntimeException | AssertionError e) {
      done.completeExceptionally(e);
    }
  }
}

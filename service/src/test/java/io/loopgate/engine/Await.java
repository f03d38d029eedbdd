package io.loopgate.engine;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads bring about. */
public final class Await {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 50_000;

  private Await() {}

  /** Looks until it is so; fails after half a minute. */
  public static void until(String what, BooleanSupplier isSo) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}

package io.loopgate.volume;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets a rate through, with one second's worth of burst.
 *
 * <p>Kept as one number: the time up to which the rate is spent. What is asked for may overdraw, so
 * a request larger than a second's worth is served and paid for by those after it. Any thread;
 * never blocks.
 */
final class TokenBucket {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final double nanosPerUnit;
  private final AtomicLong spentUntilNanos;

  /** Creates a full bucket for a positive rate. */
  TokenBucket(long unitsPerSecond, long nowNanos) {
    this.nanosPerUnit = (double) SECOND_NANOS / unitsPerSecond;
    this.spentUntilNanos = new AtomicLong(nowNanos - SECOND_NANOS);
  }

  /** Takes units if any are left; returns 0, or how long to wait in nanoseconds. */
  long tryTake(long units, long nowNanos) {
    while (true) {
      long before = spentUntilNanos.get();
      long from = before - (nowNanos - SECOND_NANOS) < 0 ? nowNanos - SECOND_NANOS : before;
      if (from - nowNanos >= 0) {
        return from - nowNanos + 1;
      }
      if (spentUntilNanos.compareAndSet(before, from + (long) (units * nanosPerUnit))) {
        return 0;
      }
    }
  }
}

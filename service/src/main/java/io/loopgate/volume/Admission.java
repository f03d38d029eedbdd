package io.loopgate.volume;

import io.loopgate.engine.InFlight;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests a volume takes: so many at a time, and so many and so much a second.
 *
 * <p>Any thread; never blocks but in {@link #awaitNone}. Whoever is admitted leaves once, when the
 * last of its commands has ended.
 */
final class Admission {
  private final InFlight inFlight;
  private volatile Rates rates;

  private record Rates(
      VolumeLimits limits, @Nullable TokenBucket operations, @Nullable TokenBucket bytes) {
    static Rates of(VolumeLimits limits) {
      long now = System.nanoTime();
      return new Rates(
          limits,
          limits.operationsPerSecond() > 0
              ? new TokenBucket(limits.operationsPerSecond(), now)
              : null,
          limits.bytesPerSecond() > 0 ? new TokenBucket(limits.bytesPerSecond(), now) : null);
    }
  }

  Admission(VolumeLimits limits) {
    this.inFlight = new InFlight(limits.maxInFlight());
    this.rates = Rates.of(limits);
  }

  /** Returns whether there is room; who is let in has to {@link #leave()}. */
  boolean tryEnter() {
    return inFlight.tryEnter();
  }

  void leave() {
    inFlight.leave();
  }

  /**
   * Takes one operation and its payload out of the quota; returns 0, or after how many seconds to
   * come back.
   */
  long quotaWaitSeconds(long payloadBytes) {
    Rates now = rates;
    if (now.operations == null && now.bytes == null) {
      return 0;
    }
    long nanos = System.nanoTime();
    long wait = now.operations == null ? 0 : now.operations.tryTake(1, nanos);
    if (wait == 0 && now.bytes != null) {
      wait = now.bytes.tryTake(payloadBytes, nanos);
    }
    return wait == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toSeconds(wait + 999_999_999L));
  }

  /** Sets other limits; those inside stay. Setting the same ones again changes nothing. */
  void limits(VolumeLimits limits) {
    if (!limits.equals(rates.limits)) {
      inFlight.limit(limits.maxInFlight());
      rates = Rates.of(limits);
    }
  }

  int inFlight() {
    return inFlight.count();
  }

  void pause() {
    inFlight.close();
  }

  void resume() {
    inFlight.reopen();
  }

  boolean awaitNone(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }
}

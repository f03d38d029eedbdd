package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rates of the token bucket and what the admission of a volume makes of them. */
class QuotaTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  @ParameterizedTest
  @CsvSource({"10, 1", "1000, 1", "100000, 7", "1000000, 65536", "3, 1"})
  void letsItsRateThrough(long rate, int unitsMax) {
    long start = -5 * SECOND_NANOS;
    TokenBucket bucket = new TokenBucket(rate, start);
    Random random = new Random(rate);
    long now = start;
    long taken = 0;
    int seconds = 60;
    long step = Math.max(1_000, SECOND_NANOS / rate / 2 * Math.max(1, unitsMax / 2));
    while (now - start < seconds * SECOND_NANOS) {
      int units = 1 + random.nextInt(unitsMax);
      if (bucket.tryTake(units, now) == 0) {
        taken += units;
      }
      now += 1 + (long) (random.nextDouble() * step);
    }
    // The bucket starts full: one second's worth of burst on top.
    double expected = (double) rate * (seconds + 1);
    assertThat((double) taken).isCloseTo(expected, within(expected * 0.05));
  }

  @Test
  void saysWhenToComeBack() {
    TokenBucket bucket = new TokenBucket(2, 0);
    assertThat(bucket.tryTake(1, 0)).isZero();
    assertThat(bucket.tryTake(1, 0)).isZero();
    long wait = bucket.tryTake(1, 0);
    assertThat(wait).isPositive();
    assertThat(bucket.tryTake(1, wait - 1)).isPositive();
    assertThat(bucket.tryTake(1, wait)).isZero();
  }

  @Test
  void aLargeRequestIsServedAndPaidForAfterwards() {
    TokenBucket bucket = new TokenBucket(100, 0);
    assertThat(bucket.tryTake(1_000, 0)).isZero();
    assertThat(bucket.tryTake(1, 0)).isGreaterThanOrEqualTo(9 * SECOND_NANOS);
    assertThat(bucket.tryTake(1, 9 * SECOND_NANOS + 1)).isZero();
  }

  @Test
  void anIdleBucketHoldsOneSecondNotMore() {
    TokenBucket bucket = new TokenBucket(10, 0);
    int taken = 0;
    while (bucket.tryTake(1, 100 * SECOND_NANOS) == 0) {
      taken++;
    }
    assertThat(taken).isBetween(10, 11);
  }

  @Test
  void admissionCountsAndPauses() {
    Admission admission = new Admission(new VolumeLimits(2, 0, 0));
    assertThat(admission.tryEnter()).isTrue();
    assertThat(admission.tryEnter()).isTrue();
    assertThat(admission.tryEnter()).isFalse();
    assertThat(admission.inFlight()).isEqualTo(2);
    admission.limits(new VolumeLimits(3, 0, 0));
    assertThat(admission.tryEnter()).isTrue();
    admission.pause();
    admission.leave();
    assertThat(admission.tryEnter()).isFalse();
    assertThat(admission.awaitNone(Duration.ofMillis(1))).isFalse();
    admission.leave();
    admission.leave();
    assertThat(admission.awaitNone(Duration.ZERO)).isTrue();
    admission.resume();
    assertThat(admission.tryEnter()).isTrue();
  }

  @Test
  void admissionHasNoQuotaUnlessTold() {
    Admission admission = new Admission(VolumeLimits.DEFAULT);
    for (int i = 0; i < 10_000; i++) {
      assertThat(admission.quotaWaitSeconds(1L << 40)).isZero();
    }
  }

  @Test
  void admissionRefusesWithWholeSecondsOnceTheQuotaIsSpent() {
    Admission operations = new Admission(new VolumeLimits(2, 1, 0));
    int admitted = 0;
    while (operations.quotaWaitSeconds(0) == 0) {
      admitted++;
    }
    assertThat(admitted).as("one second's worth, and one that overdraws").isBetween(1, 2);
    operations.limits(new VolumeLimits(2, 1, 0));
    assertThat(operations.quotaWaitSeconds(0)).as("the same limits keep the account").isEqualTo(1);
    Admission bytes = new Admission(new VolumeLimits(2, 0, 1_000));
    assertThat(bytes.quotaWaitSeconds(100_000)).isZero();
    assertThat(bytes.quotaWaitSeconds(1)).isBetween(98L, 100L);
    bytes.limits(VolumeLimits.DEFAULT);
    assertThat(bytes.quotaWaitSeconds(1)).isZero();
  }
}

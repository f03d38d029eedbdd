package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.telemetry.NowaitOutcome;
import org.junit.jupiter.api.Test;

class NowaitDirectionTest {
  private static final long QUICK_NANOS = 1_000;
  private static final long SLOW_NANOS = 1_000_001;
  private static final long PENALTY_NANOS = 100_000_000;

  private final NowaitDirection adaptive = new NowaitDirection(true, true);

  private static void learn(NowaitDirection direction, NowaitOutcome outcome, int times) {
    for (int i = 0; i < times; i++) {
      direction.learn(outcome, QUICK_NANOS, false, 0);
    }
  }

  @Test
  void triesFromTheStart() {
    assertThat(adaptive.worthTrying(0)).isTrue();
    assertThat(adaptive.isDemoted()).isFalse();
    assertThat(adaptive.isLatchedOff()).isFalse();
  }

  @Test
  void whatTheFileDoesNotSupportIsNeverTried() {
    NowaitDirection unsupported = new NowaitDirection(false, false);
    assertThat(unsupported.worthTrying(0)).isFalse();
    assertThat(unsupported.isLatchedOff()).isTrue();
    assertThat(unsupported.refusal()).isEqualTo(NowaitOutcome.SKIPPED);
  }

  @Test
  void unsupportedLatchesForGood() {
    for (boolean isAdaptive : new boolean[] {false, true}) {
      NowaitDirection direction = new NowaitDirection(true, isAdaptive);
      learn(direction, NowaitOutcome.UNSUPPORTED, 1);
      assertThat(direction.isLatchedOff()).isTrue();
      for (int i = 0; i < 3 * NowaitDirection.PROBE_EVERY; i++) {
        assertThat(direction.worthTrying(Long.MAX_VALUE / 2)).isFalse();
      }
      assertThat(direction.refusal()).isEqualTo(NowaitOutcome.SKIPPED);
    }
  }

  @Test
  void alwaysIsNeverDemoted() {
    NowaitDirection always = new NowaitDirection(true, false);
    learn(always, NowaitOutcome.AGAIN, 1_000);
    always.learn(NowaitOutcome.AGAIN, SLOW_NANOS, true, 0);
    assertThat(always.worthTrying(0)).isTrue();
  }

  @Test
  void aFallingHitRateDemotes() {
    learn(adaptive, NowaitOutcome.AGAIN, 100);
    assertThat(adaptive.isDemoted()).as("a few misses don't").isFalse();
    learn(adaptive, NowaitOutcome.AGAIN, 100);
    assertThat(adaptive.isDemoted()).isTrue();
    assertThat(adaptive.refusal()).isEqualTo(NowaitOutcome.DEMOTED);
  }

  @Test
  void shortHitsAreNoHits() {
    learn(adaptive, NowaitOutcome.SHORT, 200);
    assertThat(adaptive.isDemoted()).isTrue();
  }

  @Test
  void oneHitInFiveIsEnough() {
    for (int i = 0; i < 2_000; i++) {
      learn(adaptive, i % 5 == 0 ? NowaitOutcome.HIT : NowaitOutcome.AGAIN, 1);
      assertThat(adaptive.isDemoted()).isFalse();
    }
  }

  @Test
  void aDemotedDirectionProbesNowAndThen() {
    learn(adaptive, NowaitOutcome.AGAIN, 200);
    int tries = 0;
    for (int i = 0; i < 10 * NowaitDirection.PROBE_EVERY; i++) {
      if (adaptive.worthTrying(0)) {
        tries++;
        learn(adaptive, NowaitOutcome.AGAIN, 1);
      }
    }
    assertThat(tries).isEqualTo(10);
    assertThat(adaptive.isDemoted()).isTrue();
  }

  @Test
  void probesThatHitBringItBack() {
    learn(adaptive, NowaitOutcome.AGAIN, 200);
    int commands = 0;
    while (adaptive.isDemoted()) {
      if (adaptive.worthTrying(0)) {
        learn(adaptive, NowaitOutcome.HIT, 1);
      }
      commands++;
      assertThat(commands).isLessThanOrEqualTo(4 * NowaitDirection.PROBE_EVERY);
    }
    assertThat(adaptive.worthTrying(0)).isTrue();
  }

  @Test
  void aSlowTryThatWaitedIsPunishedForAWhile() {
    long now = Long.MAX_VALUE - 10;
    adaptive.learn(NowaitOutcome.HIT, SLOW_NANOS, true, now);
    assertThat(adaptive.isDemoted()).isTrue();
    assertThat(adaptive.worthTrying(now + 1)).isFalse();
    assertThat(adaptive.refusal()).isEqualTo(NowaitOutcome.DEMOTED);
    assertThat(adaptive.worthTrying(now + PENALTY_NANOS - 1)).isFalse();
    assertThat(adaptive.worthTrying(now + PENALTY_NANOS)).isTrue();
    assertThat(adaptive.isDemoted()).isFalse();
    assertThat(adaptive.isWatched()).as("not trusted yet").isTrue();
  }

  @Test
  void aSlowTryThatOnlyLostItsProcessorIsNotPunished() {
    for (int i = 0; i < 1_000; i++) {
      adaptive.learn(NowaitOutcome.HIT, SLOW_NANOS, false, 0);
      assertThat(adaptive.worthTrying(1)).isTrue();
    }
  }

  @Test
  void aShortWaitIsNotPunished() {
    adaptive.learn(NowaitOutcome.HIT, SLOW_NANOS - 1, true, 0);
    assertThat(adaptive.worthTrying(1)).isTrue();
  }

  @Test
  void onlySlowTriesMakeTheNextOnesWatched() {
    learn(adaptive, NowaitOutcome.HIT, 1);
    assertThat(adaptive.isWatched()).isFalse();
    adaptive.learn(NowaitOutcome.HIT, SLOW_NANOS, false, 0);
    int watched = 0;
    while (adaptive.isWatched()) {
      watched++;
      learn(adaptive, NowaitOutcome.HIT, 1);
    }
    assertThat(watched).isBetween(10, 100);
  }

  @Test
  void whatIsNeverDemotedIsNotWatched() {
    NowaitDirection always = new NowaitDirection(true, false);
    always.learn(NowaitOutcome.HIT, SLOW_NANOS, false, 0);
    assertThat(always.isWatched()).isFalse();
  }
}

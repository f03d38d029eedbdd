package io.loopgate.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static int slicesOf(boolean slow, double... rates) {
    WarmUp warmUp = new WarmUp(slow);
    int slices = 0;
    while (!warmUp.isDone()) {
      warmUp.add(rates[Math.min(slices, rates.length - 1)]);
      slices++;
    }
    return slices;
  }

  @Test
  void twoSlicesThatAreAlikeAreEnough() {
    assertThat(slicesOf(false, 100, 105)).isEqualTo(2);
    assertThat(slicesOf(false, 100, 120, 125)).isEqualTo(3);
  }

  @Test
  void whatCompilesIsNotBelievedBeforeTheWantedTime() {
    assertThat(slicesOf(true, 100, 100)).isEqualTo(WarmUp.SLICES);
    assertThat(slicesOf(true, 100, 100, 100, 100, 200, 205)).isEqualTo(WarmUp.SLICES + 1);
  }

  @Test
  void whatNeverGetsSteadyEndsNevertheless() {
    assertThat(slicesOf(true, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512)).isEqualTo(2 * WarmUp.SLICES);
  }

  @Test
  void theRatesCanBeTold() {
    WarmUp warmUp = new WarmUp(false);
    warmUp.add(10.4);
    warmUp.add(11);
    assertThat(warmUp).hasToString("10 11 /s");
  }
}

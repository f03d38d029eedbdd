package io.loopgate.engine.aio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchLimitTest {
  private static final int ALL = Integer.MAX_VALUE;

  private final BatchLimit limit = new BatchLimit();

  @ParameterizedTest
  @CsvSource({"0,2", "6,2", "16,2", "24,3", "96,12", "512,64"})
  void withoutNeighboursAGatheringIsASmallPartOfWhatTheKernelHas(int inKernel, int commands) {
    limit.gathered(2, 2);
    assertThat(limit.commands(inKernel)).isEqualTo(commands);
  }

  @Test
  void whoKnowsNothingYetGathersAllHeCan() {
    assertThat(limit.commands(6)).isEqualTo(ALL);
    limit.gathered(1, 1);
    assertThat(limit.commands(6)).isEqualTo(ALL);
  }

  @Test
  void whoFoundNeighboursGathersAllHeCan() {
    limit.gathered(2, 2);
    limit.gathered(2, 1);
    assertThat(limit.commands(6)).isEqualTo(ALL);
  }

  @Test
  void whoFoundNoneAnyMoreGathersFewAgain() {
    limit.gathered(2, 1);
    limit.gathered(20, 20);
    assertThat(limit.commands(6)).isEqualTo(2);
  }
}

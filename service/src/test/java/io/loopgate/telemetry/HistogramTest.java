package io.loopgate.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistogramTest {
  @Test
  void boundsAscendAndTheLastBucketHasNone() {
    for (Histogram histogram : List.of(Histogram.forRequests(), Histogram.forInternals())) {
      Histogram.Snapshot empty = histogram.snapshot();
      assertThat(empty.boundsSeconds()).isSorted().doesNotHaveDuplicates();
      assertThat(empty.counts()).hasSize(empty.boundsSeconds().length + 1).containsOnly(0);
      assertThat(empty.count()).isZero();
      assertThat(empty.sumSeconds()).isZero();
    }
  }

  @Test
  void aBoundBelongsToItsBucket() {
    double[] bounds = Histogram.forRequests().snapshot().boundsSeconds();
    for (int i = 0; i < bounds.length; i++) {
      Histogram histogram = Histogram.forRequests();
      long nanos = Math.round(bounds[i] * 1e9);
      histogram.recordNanos(nanos);
      histogram.recordNanos(nanos + 1);
      Histogram.Snapshot seen = histogram.snapshot();
      assertThat(seen.counts()[i]).isEqualTo(1);
      assertThat(seen.counts()[i + 1]).isEqualTo(1);
      assertThat(seen.count()).isEqualTo(2);
      assertThat(seen.sumSeconds()).isCloseTo(2 * bounds[i], within(1e-8));
    }
  }

  @Test
  void aNegativeDurationCountsAsNone() {
    Histogram histogram = Histogram.forInternals();
    histogram.recordNanos(-5);
    assertThat(histogram.snapshot().counts()[0]).isEqualTo(1);
    assertThat(histogram.snapshot().sumSeconds()).isZero();
  }

  @Test
  void aSnapshotStandsStill() {
    Histogram histogram = Histogram.forInternals();
    Histogram.Snapshot before = histogram.snapshot();
    histogram.recordNanos(1);
    before.boundsSeconds()[0] = 99;
    assertThat(before.count()).isZero();
    assertThat(histogram.snapshot().boundsSeconds()[0]).isLessThan(1);
  }

  @Test
  void countsOfManyThreadsAddUp() throws InterruptedException {
    Histogram histogram = Histogram.forRequests();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 10_000; i++) {
                      histogram.recordNanos(1_000_000);
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(histogram.snapshot().count()).isEqualTo(40_000);
    assertThat(histogram.snapshot().sumSeconds()).isCloseTo(40, within(1e-6));
  }
}

package io.loopgate.admin;

import io.loopgate.telemetry.Histogram;

/** Adds up histograms that have the same bounds. Not for more than one thread. */
final class HistogramSum {
  private final double[] boundsSeconds;
  private final long[] counts;
  private double sumSeconds;

  /** Starts at 0, with the bounds of {@code shape}. */
  HistogramSum(Histogram shape) {
    this.boundsSeconds = shape.snapshot().boundsSeconds();
    this.counts = new long[boundsSeconds.length + 1];
  }

  void add(Histogram histogram) {
    Histogram.Snapshot added = histogram.snapshot();
    add(added.counts(), added.sumSeconds());
  }

  void add(HistogramSum other) {
    add(other.counts, other.sumSeconds);
  }

  private void add(long[] addedCounts, double addedSeconds) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += addedCounts[i];
    }
    sumSeconds += addedSeconds;
  }

  Histogram.Snapshot snapshot() {
    return new Histogram.Snapshot(boundsSeconds.clone(), counts.clone(), sumSeconds);
  }
}

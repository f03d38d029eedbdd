package io.loopgate.bench.stats;

import org.HdrHistogram.Histogram;

/** Latencies of one run, in microseconds. */
public record Latency(double p50Micros, double p99Micros, double p999Micros, double maxMicros) {
  /** Latencies that could not be seen: none of them is a number. */
  public static final Latency NOT_SEEN =
      new Latency(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  private static final double NANOS_PER_MICRO = 1e3;

  /** Reads them off a histogram of nanoseconds. */
  public static Latency of(Histogram nanos) {
    return new Latency(
        nanos.getValueAtPercentile(50) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99) / NANOS_PER_MICRO,
        nanos.getValueAtPercentile(99.9) / NANOS_PER_MICRO,
        nanos.getMaxValue() / NANOS_PER_MICRO);
  }
}

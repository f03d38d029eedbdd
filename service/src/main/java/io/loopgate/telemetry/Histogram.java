package io.loopgate.telemetry;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts durations in buckets with fixed upper bounds, as Prometheus' classic histograms do.
 *
 * <p>{@link #recordNanos} may be called from every thread: buckets are striped adders, so writers
 * do not share a cache line for long. Readers see a consistent enough picture: a scrape may miss
 * what happens during it.
 */
public final class Histogram {
  /** Bounds for requests: from 50 us, below which a network round trip hardly gets, to 10 s. */
  private static final double[] REQUEST_SECONDS = {
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,
    2.5, 5, 10
  };

  /** Bounds for what happens inside: from 5 us, where a hand-off between threads begins to show. */
  private static final double[] INTERNAL_SECONDS = {
    0.000005, 0.00001, 0.000025, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01,
    0.025, 0.05, 0.1, 0.25, 1, 5
  };

  private final double[] boundsSeconds;
  private final long[] boundsNanos;
  private final LongAdder[] buckets;
  private final LongAdder sumNanos = new LongAdder();

  private Histogram(double[] boundsSeconds) {
    this.boundsSeconds = boundsSeconds;
    this.boundsNanos = new long[boundsSeconds.length];
    this.buckets = new LongAdder[boundsSeconds.length + 1];
    for (int i = 0; i < boundsSeconds.length; i++) {
      boundsNanos[i] = Math.round(boundsSeconds[i] * 1e9);
    }
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = new LongAdder();
    }
  }

  /** Returns a histogram for durations that clients see. */
  public static Histogram forRequests() {
    return new Histogram(REQUEST_SECONDS);
  }

  /** Returns a histogram for waits and steps inside the process. */
  public static Histogram forInternals() {
    return new Histogram(INTERNAL_SECONDS);
  }

  /** Counts one duration; a negative one counts as 0. */
  public void recordNanos(long nanos) {
    long value = Math.max(0, nanos);
    int bucket = 0;
    while (bucket < boundsNanos.length && value > boundsNanos[bucket]) {
      bucket++;
    }
    buckets[bucket].increment();
    sumNanos.add(value);
  }

  /** Returns the counts as they are now. */
  public Snapshot snapshot() {
    long[] counts = new long[buckets.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = buckets[i].sum();
    }
    return new Snapshot(boundsSeconds.clone(), counts, sumNanos.sum() / 1e9);
  }

  /**
   * What a scrape sees.
   *
   * @param boundsSeconds upper bounds, ascending; the last bucket has none
   * @param counts how many fell into each bucket, not cumulated, one more than bounds
   * @param sumSeconds the sum of all durations
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Snapshot(double[] boundsSeconds, long[] counts, double sumSeconds) {
    /** Returns how many durations were counted. */
    public long count() {
      long total = 0;
      for (long count : counts) {
        total += count;
      }
      return total;
    }
  }
}

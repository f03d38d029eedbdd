package io.loopgate.bench.http;

/**
 * When commands begin at a rate: one after the other, at equal distances, whatever became of those
 * before. So a server that stands still for a while makes all commands late that were meant to
 * begin meanwhile, and their latencies say so. For one thread.
 */
final class Schedule implements Pace {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long firstNanos;
  private final double distanceNanos;
  private long begun;

  /**
   * Creates one.
   *
   * @param firstNanos when the first command begins, by {@link System#nanoTime}
   */
  Schedule(long firstNanos, double ratePerSecond) {
    this.firstNanos = firstNanos;
    this.distanceNanos = NANOS_PER_SECOND / ratePerSecond;
  }

  @Override
  public long nextNanos(long nowNanos) {
    return firstNanos + (long) (begun * distanceNanos);
  }

  @Override
  public void begin() {
    begun++;
  }
}

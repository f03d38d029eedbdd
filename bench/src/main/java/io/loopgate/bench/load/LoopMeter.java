package io.loopgate.bench.load;

import io.loopgate.block.BlockOp;
import org.HdrHistogram.Histogram;

/**
 * What the jobs of one event loop count. Confined to that loop; the histogram keeps its size, so
 * that nothing is allocated per command.
 */
public final class LoopMeter {
  /** Longer latencies count as this one. */
  static final long LATENCY_NANOS_MAX = 60_000_000_000L;

  private static final int DIGITS = 3;

  private final Histogram latencyNanos = newHistogram();
  private long reads;
  private long writes;
  private long readBytes;
  private long writtenBytes;

  static Histogram newHistogram() {
    return new Histogram(LATENCY_NANOS_MAX, DIGITS);
  }

  /** Counts a command. */
  public void ended(BlockOp op, long bytes, long tookNanos) {
    if (op == BlockOp.READ) {
      reads++;
      readBytes += bytes;
    } else {
      writes++;
      writtenBytes += bytes;
    }
    latencyNanos.recordValue(Math.min(tookNanos, LATENCY_NANOS_MAX));
  }

  /** Forgets all. */
  public void reset() {
    latencyNanos.reset();
    reads = 0;
    writes = 0;
    readBytes = 0;
    writtenBytes = 0;
  }

  /** Returns a copy of what was counted since the last reset. */
  public LoadCounts counts() {
    return new LoadCounts(reads, writes, readBytes, writtenBytes, latencyNanos.copy());
  }
}

package io.loopgate.bench.load;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What a load counted.
 *
 * @param reads how many reads ended
 * @param writes how many writes ended
 * @param readBytes how many bytes were read
 * @param writtenBytes how many bytes were written
 * @param latencyNanos how long commands took, from being prepared to being ended
 */
public record LoadCounts(
    long reads, long writes, long readBytes, long writtenBytes, Histogram latencyNanos) {
  /** Returns what several loads counted together. */
  public static LoadCounts sum(List<LoadCounts> parts) {
    Histogram latencies = LoopMeter.newHistogram();
    parts.forEach(part -> latencies.add(part.latencyNanos));
    return new LoadCounts(
        parts.stream().mapToLong(LoadCounts::reads).sum(),
        parts.stream().mapToLong(LoadCounts::writes).sum(),
        parts.stream().mapToLong(LoadCounts::readBytes).sum(),
        parts.stream().mapToLong(LoadCounts::writtenBytes).sum(),
        latencies);
  }
}

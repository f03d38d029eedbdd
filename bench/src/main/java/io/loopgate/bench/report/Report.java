package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Timing;
import io.loopgate.bench.seed.SeedResult;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything one run of the benchmarks came to.
 *
 * @param commandLine what the user wrote
 * @param started when
 * @param facts about the machine, in the order to show them
 * @param timing how long and how often
 * @param interrupted whether the user stopped it before its end
 * @param comparisons what was measured, seeds aside
 * @param seeds what was measured beside published figures
 */
public record Report(
    String commandLine,
    Instant started,
    Map<String, String> facts,
    Timing timing,
    boolean interrupted,
    List<Comparison> comparisons,
    List<SeedResult> seeds) {
  /** Copies what can change. */
  public Report {
    facts = new LinkedHashMap<>(facts);
    comparisons = List.copyOf(comparisons);
    seeds = List.copyOf(seeds);
  }
}

package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Comparisons as lines for a terminal. */
public final class Tables {
  private Tables() {}

  /** Returns the lines of one comparison: what was run, the table, and how each ran. */
  public static List<String> lines(Comparison comparison) {
    List<String> lines = new ArrayList<>();
    lines.add(comparison.workload().name() + ": " + comparison.workload().text());
    TextTable table = new TextTable(Figures.heads());
    comparison.rows().forEach(row -> table.add(Figures.cells(comparison, row)));
    lines.addAll(table.lines());
    for (Row row : comparison.rows()) {
      if (!row.note().isEmpty()) {
        lines.add("  " + row.contender() + ": " + row.note());
      }
      Map<String, Long> counters = counters(row);
      if (!counters.isEmpty()) {
        lines.add("  " + row.contender() + ": NOWAIT " + counters);
      }
      if (row.state() == Row.State.FAILED && !row.rounds().isEmpty()) {
        lines.add("  " + row.contender() + " failed: " + row.reason());
      }
    }
    return lines;
  }

  /** Returns what was counted over all rounds. */
  static Map<String, Long> counters(Row row) {
    Map<String, Long> sums = new TreeMap<>();
    row.rounds()
        .forEach(
            run -> run.counters().forEach((name, count) -> sums.merge(name, count, Long::sum)));
    return sums;
  }
}

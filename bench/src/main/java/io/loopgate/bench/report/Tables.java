package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.seed.ClaimResult;
import io.loopgate.bench.seed.SeedResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Comparisons as lines for a terminal. */
public final class Tables {
  /** What a star behind a figure means. */
  static final String WHOLE_MACHINE =
      "* processor time of the whole machine: threads of the kernel did the work";

  private Tables() {}

  /** Returns the lines of one comparison: what was run, the table, and how each ran. */
  public static List<String> lines(Comparison comparison) {
    List<String> lines = new ArrayList<>();
    lines.add(comparison.workload().name() + ": " + comparison.workload().text());
    TextTable table = new TextTable(Figures.heads(comparison.workload()));
    comparison.rows().forEach(row -> table.add(Figures.cells(comparison, row)));
    lines.addAll(table.lines());
    remarks(comparison).forEach(remark -> lines.add("  " + remark));
    return lines;
  }

  /** Returns what has to be said about a table besides its cells. */
  static List<String> remarks(Comparison comparison) {
    List<String> remarks = new ArrayList<>();
    if (comparison.rows().stream().anyMatch(Figures::isWholeMachine)) {
      remarks.add(WHOLE_MACHINE);
    }
    for (Row row : comparison.rows()) {
      if (row.state() == Row.State.FAILED && !row.rounds().isEmpty()) {
        remarks.add(row.contender() + " failed after these rounds: " + row.reason());
      }
      if (!row.how().isEmpty()) {
        remarks.add(row.contender() + ": " + row.how());
      }
      Map<String, Long> counters = counters(row);
      if (!counters.isEmpty()) {
        remarks.add(row.contender() + ": counted " + text(counters));
      }
    }
    paths(comparison).forEach((path, rows) -> remarks.add("NOWAIT of " + rows + ": " + path));
    return remarks;
  }

  /** Most contenders have the same path, which is then said once. */
  private static Map<String, String> paths(Comparison comparison) {
    return comparison.rows().stream()
        .filter(row -> !row.nowait().isEmpty())
        .collect(
            Collectors.groupingBy(
                Row::nowait,
                LinkedHashMap::new,
                Collectors.mapping(Row::contender, Collectors.joining(", "))));
  }

  private static String text(Map<String, Long> counters) {
    return counters.entrySet().stream()
        .map(counter -> counter.getKey() + " " + counter.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Returns what was counted over all rounds. */
  static Map<String, Long> counters(Row row) {
    Map<String, Long> sums = new TreeMap<>();
    row.rounds()
        .forEach(
            run -> run.counters().forEach((name, count) -> sums.merge(name, count, Long::sum)));
    return sums;
  }

  /** Returns the lines of one experiment: the mail's ratios beside those of this machine. */
  public static List<String> lines(SeedResult seed) {
    List<String> lines = new ArrayList<>();
    lines.add(seed.mail().id() + ", " + seed.title() + " (" + seed.mail().subject() + ")");
    TextTable table = new TextTable(List.of("ratio", "mail", "here (min..max)", "of what here"));
    for (ClaimResult claim : seed.claims()) {
      if (claim.measured().isPresent()) {
        table.add(
            List.of(
                claim.what(), claim.mailed(), Figures.ratio(claim.measured()), claim.contenders()));
      } else {
        table.add(List.of(claim.what(), claim.mailed(), "- " + claim.reason()));
      }
    }
    lines.addAll(table.lines());
    lines.add("  there: " + seed.mail().hardware());
    seed.caveats().forEach(caveat -> lines.add("  here: " + caveat));
    return lines;
  }
}

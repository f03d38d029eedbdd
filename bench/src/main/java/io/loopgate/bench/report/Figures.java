package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The columns of a comparison, each the median of its rounds, as text. */
final class Figures {
  /** A column: its head, and the figure. */
  private record Column(String head, ToDoubleFunction<Measurement> figure) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("IOPS", Measurement::iops),
          new Column("MiB/s", Measurement::mibPerSecond),
          new Column("reads/s", Measurement::readIops),
          new Column("writes/s", Measurement::writeIops),
          new Column("p50 us", run -> run.latency().p50Micros()),
          new Column("p99 us", run -> run.latency().p99Micros()),
          new Column("p99.9 us", run -> run.latency().p999Micros()),
          new Column("max us", run -> run.latency().maxMicros()),
          new Column("user us", Measurement::userMicrosPerCommand),
          new Column("sys us", Measurement::systemMicrosPerCommand),
          new Column("jvm us", Measurement::machineryMicrosPerCommand));

  private Figures() {}

  /** Returns the heads of all columns. */
  static List<String> heads() {
    List<String> heads = new ArrayList<>(List.of("contender"));
    COLUMNS.forEach(column -> heads.add(column.head()));
    heads.addAll(List.of("x IOPS", "x CPU"));
    return heads;
  }

  /** Returns the cells of a row; one that was not measured has its name and the reason. */
  static List<String> cells(Comparison comparison, Row row) {
    if (row.rounds().isEmpty()) {
      return List.of(
          row.contender(), row.state().name().toLowerCase(Locale.ROOT) + ": " + row.reason());
    }
    List<String> cells = new ArrayList<>(List.of(row.contender()));
    COLUMNS.forEach(
        column ->
            cells.add(
                Spread.of(row.rounds(), column.figure())
                    .map(spread -> number(spread.median()))
                    .orElse("-")));
    cells.add(ratio(ratio(comparison, row, Measurement::iops)));
    cells.add(ratio(ratio(comparison, row, Measurement::cpuMicrosPerCommand)));
    return cells;
  }

  /** Returns the ratios of a row to the baseline, round by round. */
  static Optional<Spread> ratio(
      Comparison comparison, Row row, ToDoubleFunction<Measurement> figure) {
    return comparison
        .row(comparison.baseline())
        .flatMap(baseline -> Spread.ofPairs(row.rounds(), baseline.rounds(), figure));
  }

  /** Returns a ratio with the least and the greatest of its rounds. */
  static String ratio(Optional<Spread> ratio) {
    return ratio
        .map(
            spread ->
                String.format(
                    Locale.ROOT, "%.2f (%.2f..%.2f)", spread.median(), spread.min(), spread.max()))
        .orElse("-");
  }

  /** Returns a number with about three digits that count. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    if (Math.abs(value) >= 100) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
  }
}

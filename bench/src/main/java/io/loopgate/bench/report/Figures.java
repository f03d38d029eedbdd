package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The columns of a comparison, each the median of its rounds, as text. */
final class Figures {
  /** A column: its head, its name in JSON, and the figure. */
  record Column(String head, String member, ToDoubleFunction<Measurement> figure) {}

  static final List<Column> COLUMNS =
      List.of(
          new Column("IOPS", "iops", Measurement::iops),
          new Column("MiB/s", "mibPerSecond", Measurement::mibPerSecond),
          new Column("reads/s", "readsPerSecond", Measurement::readIops),
          new Column("writes/s", "writesPerSecond", Measurement::writeIops),
          new Column("p50 us", "p50Micros", run -> run.latency().p50Micros()),
          new Column("p99 us", "p99Micros", run -> run.latency().p99Micros()),
          new Column("p99.9 us", "p999Micros", run -> run.latency().p999Micros()),
          new Column("max us", "maxMicros", run -> run.latency().maxMicros()),
          new Column("user us", "userMicrosPerCommand", Measurement::userMicrosPerCommand),
          new Column("sys us", "systemMicrosPerCommand", Measurement::systemMicrosPerCommand),
          new Column(
              "jvm us", "machineryMicrosPerCommand", Measurement::machineryMicrosPerCommand));

  /** What servers have: one direction is all they have mostly, and no virtual machine is known. */
  static final List<Column> SERVER_COLUMNS =
      List.of(
          new Column("requests/s", "iops", Measurement::iops),
          new Column("MiB/s", "mibPerSecond", Measurement::mibPerSecond),
          new Column("p50 us", "p50Micros", run -> run.latency().p50Micros()),
          new Column("p99 us", "p99Micros", run -> run.latency().p99Micros()),
          new Column("p99.9 us", "p999Micros", run -> run.latency().p999Micros()),
          new Column("max us", "maxMicros", run -> run.latency().maxMicros()),
          new Column("user us", "userMicrosPerCommand", Measurement::userMicrosPerCommand),
          new Column("sys us", "systemMicrosPerCommand", Measurement::systemMicrosPerCommand),
          new Column("RSS MiB", "residentMib", Measurement::residentMib),
          new Column("client %", "clientBusyPercent", Measurement::clientBusyPercent));

  private Figures() {}

  /** Returns the columns that make sense for a workload. */
  static List<Column> columns(Workload workload) {
    return workload.wire().isPresent() ? SERVER_COLUMNS : COLUMNS;
  }

  /** Returns the heads of all columns. */
  static List<String> heads(Workload workload) {
    List<String> heads = new ArrayList<>(List.of("contender"));
    columns(workload).forEach(column -> heads.add(column.head()));
    heads.addAll(List.of(workload.wire().isPresent() ? "x rate" : "x IOPS", "x CPU"));
    return heads;
  }

  /** Returns the cells of a row; one that was not measured has its name and the reason. */
  static List<String> cells(Comparison comparison, Row row) {
    if (row.rounds().isEmpty()) {
      return List.of(
          row.contender(), row.state().name().toLowerCase(Locale.ROOT) + ": " + row.reason());
    }
    List<String> cells = new ArrayList<>(List.of(row.contender()));
    columns(comparison.workload())
        .forEach(
            column ->
                cells.add(
                    Spread.of(row.rounds(), column.figure())
                        .map(spread -> number(spread.median()))
                        .orElse("-")));
    cells.add(ratio(ratio(comparison, row, Measurement::iops)));
    String cpu = ratio(ratio(comparison, row, Measurement::cpuMicrosPerCommand));
    cells.add(isWholeMachine(row) ? cpu + "*" : cpu);
    return cells;
  }

  /** Tells whether the processor time of a row is that of the whole machine. */
  static boolean isWholeMachine(Row row) {
    return row.rounds().stream().anyMatch(run -> run.cpu().scope() == CpuUse.Scope.MACHINE);
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

package io.loopgate.bench.report;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.report.BarChart.Bar;
import io.loopgate.bench.report.BarChart.Part;
import io.loopgate.bench.seed.ClaimResult;
import io.loopgate.bench.seed.SeedResult;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** The charts of a report. What was not measured has no bar. */
final class Charts {
  private Charts() {}

  /** Commands per second, with the spread of the rounds and the ratio to the baseline. */
  static BarChart rates(Comparison comparison) {
    BarChart chart = new BarChart("commands per second of " + comparison.workload().name());
    for (Row row : comparison.rows()) {
      Spread.of(row.rounds(), Measurement::iops)
          .ifPresent(
              spread -> {
                boolean base = row.contender().equals(comparison.baseline());
                chart.add(
                    new Bar(
                        row.contender(),
                        List.of(new Part(spread.median(), base ? "base" : "bar")),
                        spread.min(),
                        spread.max(),
                        Figures.number(spread.median()) + ratio(comparison, row)));
              });
    }
    return chart;
  }

  private static String ratio(Comparison comparison, Row row) {
    Optional<Spread> ratio = Figures.ratio(comparison, row, Measurement::iops);
    return ratio.map(spread -> ", x " + Figures.number(spread.median())).orElse("");
  }

  /** Processor time per command, divided into user and system. */
  static BarChart processorTime(Comparison comparison) {
    BarChart chart = new BarChart("processor time per command of " + comparison.workload().name());
    for (Row row : comparison.rows()) {
      if (Spread.of(row.rounds(), Measurement::cpuMicrosPerCommand).isPresent()) {
        double user = median(row, Measurement::userMicrosPerCommand);
        double system = median(row, Measurement::systemMicrosPerCommand);
        String text = Figures.number(user) + " + " + Figures.number(system);
        chart.add(
            new Bar(
                row.contender(),
                List.of(new Part(user, "user"), new Part(system, "sys")),
                0,
                0,
                Figures.isWholeMachine(row) ? text + " (whole machine)" : text));
      }
    }
    return chart;
  }

  private static double median(Row row, ToDoubleFunction<Measurement> figure) {
    return Spread.of(row.rounds(), figure).map(Spread::median).orElse(0.0);
  }

  /** The mail's ratio above this machine's, for each claim where both are numbers. */
  static BarChart claims(SeedResult seed) {
    BarChart chart = new BarChart("ratios of " + seed.mail().id());
    for (ClaimResult claim : seed.claims()) {
      if (claim.mailed().matches("[0-9.]+")) {
        double mailed = Double.parseDouble(claim.mailed());
        chart.add(new Bar(claim.what(), List.of(new Part(mailed, "mail")), 0, 0, claim.mailed()));
      }
      claim
          .measured()
          .ifPresent(
              spread ->
                  chart.add(
                      new Bar(
                          claim.mailed().matches("[0-9.]+") ? "" : claim.what(),
                          List.of(new Part(spread.median(), "bar")),
                          spread.min(),
                          spread.max(),
                          Figures.number(spread.median()))));
    }
    return chart;
  }
}

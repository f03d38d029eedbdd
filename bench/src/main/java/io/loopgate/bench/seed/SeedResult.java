package io.loopgate.bench.seed;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of an experiment.
 *
 * @param mail where the figures are from
 * @param title which table of it
 * @param comparison all that was measured
 * @param claims the mail's ratios beside those of this machine
 * @param caveats what keeps this machine from showing the same
 */
public record SeedResult(
    Mail mail,
    String title,
    Comparison comparison,
    List<ClaimResult> claims,
    List<String> caveats) {
  private static final int ENOUGH_PROCESSORS = 4;

  /** Copies the lists. */
  public SeedResult {
    claims = List.copyOf(claims);
    caveats = List.copyOf(caveats);
  }

  /**
   * Reads the claims off a comparison.
   *
   * @param processors how many this process may use
   */
  public static SeedResult of(Experiment experiment, Comparison comparison, int processors) {
    List<String> caveats = new ArrayList<>(List.of(experiment.caveat()));
    if (processors < ENOUGH_PROCESSORS) {
      caveats.add(
          processors
              + (processors == 1 ? " processor" : " processors")
              + " here: jobs, engine and kernel take turns on them, so that what more threads or"
              + " queues gain shows less, and spinning takes time from what it waits for");
    }
    return new SeedResult(
        experiment.mail(),
        experiment.title(),
        comparison,
        experiment.claims().stream().map(claim -> result(claim, comparison)).toList(),
        caveats);
  }

  private static ClaimResult result(Claim claim, Comparison comparison) {
    Optional<Row> of = comparison.row(claim.of());
    Optional<Row> to = comparison.row(claim.to());
    Optional<Spread> measured =
        of.flatMap(
            row ->
                to.flatMap(base -> Spread.ofPairs(row.rounds(), base.rounds(), Measurement::iops)));
    return new ClaimResult(
        claim.what(),
        claim.of() + " to " + claim.to(),
        claim.mailed(),
        measured,
        measured.isPresent() ? "" : reason(of, to));
  }

  private static String reason(Optional<Row> of, Optional<Row> to) {
    return of.filter(row -> row.rounds().isEmpty())
        .or(() -> to)
        .map(row -> row.contender() + ": " + row.reason())
        .orElse("not run");
  }
}

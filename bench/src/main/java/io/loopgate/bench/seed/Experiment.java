package io.loopgate.bench.seed;

import io.loopgate.bench.shape.Workload;
import java.util.List;

/**
 * One table of a mail, as it can be measured here.
 *
 * @param mail where it was published
 * @param title which table
 * @param workload the shape
 * @param contenders what stands in for the mail's systems; the first is the baseline
 * @param claims the ratios to look at
 * @param caveat what differs from the mail's set-up whatever the machine
 */
public record Experiment(
    Mail mail,
    String title,
    Workload workload,
    List<String> contenders,
    List<Claim> claims,
    String caveat) {
  /** Copies the lists. */
  public Experiment {
    contenders = List.copyOf(contenders);
    claims = List.copyOf(claims);
  }
}

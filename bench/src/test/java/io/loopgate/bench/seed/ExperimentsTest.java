package io.loopgate.bench.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExperimentsTest {
  private final Experiments experiments = new Experiments(64 << 20);

  private List<Experiment> all() {
    return experiments.ids().stream().flatMap(id -> experiments.of(id).stream()).toList();
  }

  @Test
  void everyMailHasExperimentsAndEveryClaimItsContenders() {
    assertThat(experiments.ids()).hasSize(5);
    assertThat(all())
        .allSatisfy(
            experiment -> {
              assertThat(experiment.claims()).isNotEmpty();
              assertThat(experiment.caveat()).isNotEmpty();
              assertThat(experiment.claims())
                  .allSatisfy(
                      claim ->
                          assertThat(experiment.contenders()).contains(claim.of(), claim.to()));
            });
  }

  @Test
  void ratiosAreComputedFromThePublishedFigures() {
    assertThat(mailed("dm-loop-2025", 0, "loop to raw")).isEqualTo("0.55");
    assertThat(mailed("dm-loop-2025", 0, "NOWAIT to loop")).isEqualTo("1.37");
    assertThat(mailed("dm-loop-2025", 1, "NOWAIT to loop")).isEqualTo("3.82");
    assertThat(mailed("dm-loop-2025", 1, "NOWAIT, 4 queues, to loop")).isEqualTo("4.28");
    assertThat(mailed("blk-mq-2014", 0, "in the caller to queued")).isEqualTo("24.55");
    assertThat(mailed("multiple-workers-2020", 0, "3 workers to 1")).isEqualTo("2.09");
    assertThat(mailed("dm-polling-2021", 0, "spin per command to io_uring")).isEqualTo("0.09");
  }

  private String mailed(String id, int experiment, String what) {
    return experiments.of(id).get(experiment).claims().stream()
        .filter(claim -> claim.what().equals(what))
        .findFirst()
        .orElseThrow()
        .mailed();
  }

  @Test
  void anUnknownMailIsAnsweredWithTheValidOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> experiments.of("dm-loop"))
        .withMessageContaining("dm-loop-2025, blk-mq-2014");
  }

  private static Row row(String name, long reads) {
    Measurement run =
        new Measurement(
            1,
            reads,
            0,
            0,
            0,
            new Latency(0, 0, 0, 0),
            new CpuUse(0, 0, 0, CpuUse.Scope.PROCESS),
            Map.of());
    return new Row(name, Row.State.MEASURED, "", "", "", List.of(run));
  }

  @Test
  void aClaimIsMeasuredOrSaysWhyNot() {
    Experiment experiment = experiments.of("multiple-workers-2020").getFirst();
    Comparison comparison =
        new Comparison(
            experiment.workload(),
            "workers:1",
            List.of(
                row("workers:1", 100),
                row("workers:2", 180),
                new Row("workers:3", Row.State.FAILED, "READ failed with EIO", "", "", List.of())));
    SeedResult result = SeedResult.of(experiment, comparison, 2);
    assertThat(result.claims().get(0).measured()).contains(new Spread(1.8, 1.8, 1.8));
    assertThat(result.claims().get(1).measured()).isEmpty();
    assertThat(result.claims().get(1).reason()).isEqualTo("workers:3: READ failed with EIO");
    assertThat(result.caveats()).hasSize(2).last().asString().startsWith("2 processors here");
    assertThat(SeedResult.of(experiment, comparison, 8).caveats()).hasSize(1);
  }
}

package io.loopgate.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.LiveCdImage;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.files.TargetException;
import io.loopgate.bench.files.Workbench;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private static final Workload WORKLOAD =
      new Workload(
          "test", new Target.Nothing(1 << 20), Access.of(Rw.READ, 4096, 1, 1, false, Cache.HOT));

  private final Stop stop = new Stop();
  private final StringWriter progress = new StringWriter();
  private final List<String> runs = new ArrayList<>();

  private Comparison run(int rounds, Duration warmUp, Contender... contenders) {
    Timing timing = new Timing(rounds, warmUp, Duration.ofMillis(10), Duration.ofMillis(20));
    LiveCdImage noLiveCd = new LiveCdImage(Path.of("none"), Path.of("none"), stop);
    try (Workbench workbench = new Workbench(Path.of("none"), false, noLiveCd, stop)) {
      Rounds all =
          new Rounds(workbench, timing, new Progress(new PrintWriter(progress, true)), stop);
      all.plan(contenders.length);
      return all.run(WORKLOAD, Arrays.asList(contenders), contenders[0].name());
    }
  }

  /** A contender whose run of a round comes to what the test says; round 0 is to warm up. */
  private Contender contender(String name, LongFunction<Outcome> outcomes) {
    return new Contender() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Outcome run(
          Workload workload, Prepared prepared, Phases phases, long seed, Stop toStop) {
        runs.add(name + seed);
        return outcomes.apply(seed);
      }
    };
  }

  private static Outcome measured(long reads) {
    return new Outcome.Measured(
        new Measurement(
            1,
            reads,
            0,
            0,
            0,
            new Latency(0, 0, 0, 0),
            new CpuUse(0, 0, 0, CpuUse.Scope.PROCESS),
            Map.of()),
        "how",
        "path");
  }

  @Test
  void contendersAlternateAndTheWarmUpDoesNotCount() {
    Comparison comparison =
        run(
            2,
            Duration.ofMillis(5),
            contender("a", round -> measured(round * 100)),
            contender("b", round -> measured(round * 200)));
    assertThat(runs).containsExactly("a0", "b0", "a1", "b1", "a2", "b2");
    Row row = comparison.row("b").orElseThrow();
    assertThat(row.state()).isEqualTo(Row.State.MEASURED);
    assertThat(row.reason()).isEmpty();
    assertThat(row.how()).isEqualTo("how");
    assertThat(row.rounds()).extracting(Measurement::reads).containsExactly(200L, 400L);
  }

  @Test
  void withoutAWarmUpTheFirstRoundIsTheFirstRun() {
    run(1, Duration.ZERO, contender("a", round -> measured(1)));
    assertThat(runs).containsExactly("a1");
  }

  @Test
  void aSteadyWarmUpGoesOnUntilTwoSlicesAreAlikeAndAllAreClosedInTheEnd() {
    Timing timing = new Timing(1, Duration.ofMillis(5), Duration.ZERO, Duration.ofMillis(1), true);
    LiveCdImage noLiveCd = new LiveCdImage(Path.of("none"), Path.of("none"), stop);
    long[] reads = {1};
    Contender grows =
        contender("a", round -> measured(round == 0 && runs.size() < 8 ? reads[0] *= 2 : 300));
    Contender closes =
        new Contender() {
          @Override
          public String name() {
            return grows.name();
          }

          @Override
          public Outcome run(
              Workload workload, Prepared prepared, Phases phases, long seed, Stop toStop) {
            return grows.run(workload, prepared, phases, seed, toStop);
          }

          @Override
          public void close() {
            runs.add("closed");
          }
        };
    try (Workbench workbench = new Workbench(Path.of("none"), false, noLiveCd, stop)) {
      Rounds all =
          new Rounds(workbench, timing, new Progress(new PrintWriter(progress, true)), stop);
      all.plan(1);
      all.run(WORKLOAD, List.of(closes), "a");
    }
    assertThat(runs).hasSize(11).endsWith("a0", "a1", "closed");
    assertThat(progress.toString()).contains("a is warm: 2 4 8 16 32 64 128 300 300 /s");
  }

  @Test
  void whoCannotRunIsLeftOutWithTheReason() {
    Comparison comparison =
        run(
            2,
            Duration.ofMillis(5),
            contender("a", round -> new Outcome.Unavailable("no such thing")),
            contender("b", round -> measured(1)));
    assertThat(runs).containsExactly("a0", "b0", "b1", "b2");
    Row row = comparison.row("a").orElseThrow();
    assertThat(row.state()).isEqualTo(Row.State.UNAVAILABLE);
    assertThat(row.reason()).isEqualTo("no such thing");
    assertThat(comparison.row("b").orElseThrow().rounds()).hasSize(2);
    assertThat(progress.toString()).contains("a: no such thing");
  }

  @Test
  void anErrorEndsAContenderAndKeepsWhatItHad() {
    Comparison comparison =
        run(
            3,
            Duration.ZERO,
            contender(
                "a", round -> round < 2 ? measured(7) : new Outcome.Failed("READ failed with EIO")),
            contender("b", round -> measured(1)));
    Row row = comparison.row("a").orElseThrow();
    assertThat(row.state()).isEqualTo(Row.State.FAILED);
    assertThat(row.reason()).isEqualTo("READ failed with EIO");
    assertThat(row.rounds()).hasSize(1);
    assertThat(runs).containsExactly("a1", "b1", "a2", "b2", "b3");
  }

  @Test
  void aBugOrATargetThatCannotBeMadeIsAnErrorOfThatContender() {
    Comparison comparison =
        run(
            1,
            Duration.ZERO,
            contender(
                "a",
                round -> {
                  throw new IllegalStateException("oh");
                }),
            contender(
                "b",
                round -> {
                  throw new TargetException("no room");
                }),
            contender("c", round -> measured(1)));
    assertThat(comparison.row("a").orElseThrow().reason()).contains("a bug").contains("oh");
    assertThat(comparison.row("b").orElseThrow().reason()).isEqualTo("no room");
    assertThat(comparison.row("c").orElseThrow().state()).isEqualTo(Row.State.MEASURED);
  }

  @Test
  void aWishToStopKeepsTheRoundsThatWereDone() {
    Comparison comparison =
        run(
            5,
            Duration.ZERO,
            contender(
                "a",
                round -> {
                  if (round == 2) {
                    stop.request();
                    return new Outcome.Interrupted();
                  }
                  return measured(1);
                }),
            contender("b", round -> measured(1)));
    assertThat(runs).containsExactly("a1", "b1", "a2");
    assertThat(comparison.rows())
        .allSatisfy(
            row -> {
              assertThat(row.state()).isEqualTo(Row.State.MEASURED);
              assertThat(row.rounds()).hasSize(1);
            });
  }

  @Test
  void whoWasInterruptedBeforeItsFirstRoundSaysSo() {
    Comparison comparison =
        run(
            1,
            Duration.ofMillis(5),
            contender(
                "a",
                round -> {
                  stop.request();
                  return new Outcome.Interrupted();
                }));
    Row row = comparison.row("a").orElseThrow();
    assertThat(row.state()).isEqualTo(Row.State.INTERRUPTED);
    assertThat(row.reason()).contains("interrupted");
  }

  @Test
  void progressNamesShapeRoundAndContenderAndWhatIsLeft() {
    run(1, Duration.ofMillis(5), contender("a", round -> measured(1)));
    assertThat(progress.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("\\[1/2\\] test warm-up a, about \\d+ s left"),
            line -> assertThat(line).matches("\\[2/2\\] test round 1/1 a, about \\d+ s left"));
  }

  @Test
  void numbersOutOfBoundsAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Timing(0, second, second, second))
        .withMessageContaining("rounds");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Timing(1, second, second, Duration.ZERO))
        .withMessageContaining("time");
  }
}

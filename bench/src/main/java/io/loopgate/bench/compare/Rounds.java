package io.loopgate.bench.compare;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.control.StoppedException;
import io.loopgate.bench.files.TargetException;
import io.loopgate.bench.files.Workbench;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.Measurement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Lets contenders run one workload in turn: first all of them to warm up, then round by round, A B
 * C A B C. A machine drifts, but neighbours in time drift alike. For one control thread.
 */
public final class Rounds {
  private final Workbench workbench;
  private final Timing timing;
  private final Progress progress;
  private final Stop stop;

  /** Creates one. */
  public Rounds(Workbench workbench, Timing timing, Progress progress, Stop stop) {
    this.workbench = workbench;
    this.timing = timing;
    this.progress = progress;
    this.stop = stop;
  }

  /** Makes known how many runs a workload will take. */
  public void plan(int contenders) {
    if (!timing.warmUp().isZero()) {
      progress.plan(
          contenders * (timing.steady() ? WarmUp.SLICES : 1), length(timing.warmUpPhases()));
    }
    progress.plan(contenders * timing.rounds(), length(timing.roundPhases()));
  }

  /** Says something between the runs. */
  public void say(String line) {
    progress.say(line);
  }

  private static Duration length(Phases phases) {
    return phases.ramp().plus(phases.measured());
  }

  /** What becomes of a contender while rounds go on. */
  private static final class Standing {
    private final Contender contender;
    private final List<Measurement> measurements = new ArrayList<>();
    private Row.State state = Row.State.INTERRUPTED;
    private String reason = "interrupted before its first round ended";
    private String how = "";
    private String nowait = "";

    Standing(Contender contender) {
      this.contender = contender;
    }

    boolean runs() {
      return state == Row.State.INTERRUPTED || state == Row.State.MEASURED;
    }

    void leave(Row.State newState, String newReason) {
      state = newState;
      reason = newReason;
    }

    Row row() {
      return new Row(contender.name(), state, reason, how, nowait, measurements);
    }
  }

  /** Runs a workload; after a wish to stop, with the rounds that were done until then. */
  public Comparison run(Workload workload, List<Contender> contenders, String baseline) {
    List<Standing> standings = contenders.stream().map(Standing::new).toList();
    try {
      int first = timing.warmUp().isZero() ? 1 : 0;
      for (int round = first; round <= timing.rounds() && !stop.isRequested(); round++) {
        for (Standing standing : standings) {
          if (round == 0 && timing.steady()) {
            warmUp(workload, standing);
          } else {
            runIfItCan(workload, standing, round);
          }
        }
      }
    } finally {
      contenders.forEach(Contender::close);
    }
    return new Comparison(workload, baseline, standings.stream().map(Standing::row).toList());
  }

  private void warmUp(Workload workload, Standing standing) {
    WarmUp warmUp = new WarmUp(standing.contender.warmsUpSlowly());
    int slices = 0;
    boolean measured = true;
    while (measured && !warmUp.isDone()) {
      OptionalDouble rate = runIfItCan(workload, standing, 0);
      slices++;
      rate.ifPresent(warmUp::add);
      measured = rate.isPresent();
    }
    progress.drop(WarmUp.SLICES - slices, length(timing.warmUpPhases()));
    if (measured) {
      progress.say("  " + standing.contender.name() + " is warm: " + warmUp);
    }
  }

  /** Returns commands per second, if it was measured. */
  private OptionalDouble runIfItCan(Workload workload, Standing standing, int round) {
    return standing.runs() && !stop.isRequested()
        ? runOnce(workload, standing, round)
        : OptionalDouble.empty();
  }

  private OptionalDouble runOnce(Workload workload, Standing standing, int round) {
    Phases phases = round == 0 ? timing.warmUpPhases() : timing.roundPhases();
    String label = round == 0 ? "warm-up" : "round " + round + "/" + timing.rounds();
    progress.begin(workload.name(), label, standing.contender.name());
    Outcome outcome = attempt(workload, standing.contender, phases, round);
    progress.end(length(phases));
    switch (outcome) {
      case Outcome.Measured measured when round > 0 -> {
        standing.leave(Row.State.MEASURED, "");
        standing.measurements.add(measured.measurement());
        standing.how = measured.how();
        standing.nowait = measured.nowait();
      }
      case Outcome.Measured _, Outcome.Interrupted _ -> {}
      case Outcome.Unavailable(String reason) ->
          drop(standing, Row.State.UNAVAILABLE, reason, round);
      case Outcome.Failed(String reason, var measurement) -> {
        measurement.ifPresent(standing.measurements::add);
        drop(standing, Row.State.FAILED, reason, round);
      }
    }
    return outcome instanceof Outcome.Measured(Measurement measurement, String _, String _)
        ? OptionalDouble.of(measurement.iops())
        : OptionalDouble.empty();
  }

  private Outcome attempt(Workload workload, Contender contender, Phases phases, int round) {
    Workload own;
    try {
      own = contender.of(workload);
    } catch (IllegalArgumentException e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
    try {
      return contender.run(own, workbench.prepare(own), phases, round, stop);
    } catch (StoppedException e) {
      return new Outcome.Interrupted();
    } catch (TargetException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // A bug of one contender must not take the results of the others with it.
      progress.say(e);
      return new Outcome.Failed("a bug: " + e);
    }
  }

  private void drop(Standing standing, Row.State state, String reason, int round) {
    standing.leave(state, reason);
    progress.say("  " + standing.contender.name() + ": " + reason);
    progress.drop(timing.rounds() - round, length(timing.roundPhases()));
  }
}

package io.loopgate.bench.http;

import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.load.LoadCounts;
import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.ServerUse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Loads a server once, from the first connection to the last answer. For one control thread. */
public final class HttpRun {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(35);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final Duration REPORT_EVERY = Duration.ofSeconds(5);
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PERCENT = 100;

  private final Supplier<CpuUse> serverCpu;
  private final DoubleSupplier residentMib;
  private final Consumer<String> progress;
  private final int loops;

  /**
   * Creates one.
   *
   * @param serverCpu the processor time of the server until now
   * @param residentMib the memory of the server now
   * @param progress is told how a long run goes
   * @param loops how many event loops load at most
   */
  public HttpRun(
      Supplier<CpuUse> serverCpu,
      DoubleSupplier residentMib,
      Consumer<String> progress,
      int loops) {
    this.serverCpu = serverCpu;
    this.residentMib = residentMib;
    this.progress = progress;
    this.loops = loops;
  }

  /**
   * Runs a workload.
   *
   * @param sizeBytes how much of the volume is used
   * @param verified what is known of the bytes, if they are to be verified
   * @param partly whether a run that the user stopped counts nevertheless
   * @throws IllegalArgumentException if the workload and the server do not fit
   */
  public Outcome run(
      Workload workload,
      Endpoint endpoint,
      long sizeBytes,
      Optional<Verification> verified,
      Phases phases,
      long seed,
      Stop stop,
      boolean partly) {
    HttpLoad.Plan plan =
        new HttpLoad.Plan(
            endpoint, sizeBytes, loops, ANSWER_TIMEOUT, verified.map(Verification::model));
    try (HttpLoad load = new HttpLoad(workload, plan, seed)) {
      load.start();
      boolean stopped = awaitFirst(load, stop) || await(load, phases.ramp(), stop);
      load.reset();
      CpuUse serverBefore = serverCpu.get();
      CpuUse clientBefore = ProcessCpu.now();
      long startNanos = System.nanoTime();
      stopped = stopped || await(load, phases.measured(), stop);
      double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
      CpuUse server = serverCpu.get().since(serverBefore);
      CpuUse client = ProcessCpu.now().since(clientBefore);
      LoadCounts counts = load.counts();
      boolean ended = load.stop(STOP_TIMEOUT);
      if (stopped && (!partly || counts.reads() + counts.writes() == 0)) {
        return new Outcome.Interrupted();
      }
      double busy = PERCENT * client.wholeSeconds() / seconds / load.loops();
      Measurement measurement =
          measurement(counts, seconds, server, load.errors().count())
              .withServer(server, new ServerUse(residentMib.getAsDouble(), busy));
      return outcome(load.errors(), ended, measurement);
    }
  }

  private Outcome outcome(Errors errors, boolean ended, Measurement measurement) {
    if (errors.count() > 0) {
      errors.first().forEach(error -> progress.accept("  " + error));
      return new Outcome.Failed(
          (errors.count() == 1 ? "1 error: " : errors.count() + " errors, the first: ")
              + errors.first().getFirst(),
          Optional.of(measurement));
    }
    if (!ended) {
      return new Outcome.Failed(
          "commands did not end within " + STOP_TIMEOUT.toSeconds() + " s",
          Optional.of(measurement));
    }
    if (measurement.commands() == 0) {
      return new Outcome.Failed("no command ended", Optional.of(measurement));
    }
    return new Outcome.Measured(measurement, "", "");
  }

  private static Measurement measurement(
      LoadCounts counts, double seconds, CpuUse cpu, long errors) {
    return new Measurement(
        seconds,
        counts.reads(),
        counts.writes(),
        counts.readBytes(),
        counts.writtenBytes(),
        Latency.of(counts.latencyNanos()),
        cpu,
        errors > 0 ? Map.of("errors", errors) : Map.of());
  }

  /**
   * Waits for the first answer or error: opening connections is not measured. Returns whether the
   * user wants to stop before that.
   */
  private static boolean awaitFirst(HttpLoad load, Stop stop) {
    long deadline = System.nanoTime() + ANSWER_TIMEOUT.toNanos();
    while (load.errors().count() == 0 && System.nanoTime() < deadline) {
      LoadCounts counts = load.counts();
      if (counts.reads() + counts.writes() > 0) {
        return false;
      }
      if (stop.await(LOOK_EVERY)) {
        return true;
      }
    }
    return false;
  }

  /** Waits for so long; returns whether the user wants to stop before that. */
  private boolean await(HttpLoad load, Duration time, Stop stop) {
    long startNanos = System.nanoTime();
    long lastCommands = 0;
    long lastNanos = startNanos;
    while (true) {
      long leftNanos = time.toNanos() - (System.nanoTime() - startNanos);
      if (leftNanos <= 0) {
        return false;
      }
      if (stop.await(Duration.ofNanos(Math.min(leftNanos, REPORT_EVERY.toNanos())))) {
        return true;
      }
      if (leftNanos > REPORT_EVERY.toNanos()) {
        LoadCounts counts = load.counts();
        long now = System.nanoTime();
        long commands = counts.reads() + counts.writes();
        progress.accept(
            String.format(
                Locale.ROOT,
                "  %d s: %.0f requests/s, p99 so far %.0f us, %d errors",
                Duration.ofNanos(now - startNanos).toSeconds(),
                (commands - lastCommands) * NANOS_PER_SECOND / (now - lastNanos),
                Latency.of(counts.latencyNanos()).p99Micros(),
                load.errors().count()));
        lastCommands = commands;
        lastNanos = now;
      }
    }
  }
}

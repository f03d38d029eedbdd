package io.loopgate.bench.contender;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.open.Backings;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.load.Load;
import io.loopgate.bench.load.LoadCounts;
import io.loopgate.bench.load.Loops;
import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.machine.Processors;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Latency;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.block.BlockOp;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngine;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import io.loopgate.volume.EngineStack;
import io.loopgate.volume.RunningEngine;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * An engine of this build, with the layers the product puts on it, driven in this process by event
 * loops of Netty's. Opened anew for every run.
 */
public final class EngineContender implements Contender {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  /** A command ends before its engine counts it as ended: its successor may be early. */
  private static final int QUEUE_RESERVE = 64;

  private static final int PAGE_BYTES = 4096;
  private static final int SECTOR_BYTES = 512;

  private final EngineSetup setup;
  private final EngineSelector engines;

  /** Creates one. */
  public EngineContender(EngineSetup setup, EngineSelector engines) {
    this.setup = setup;
    this.engines = engines;
  }

  @Override
  public String name() {
    return setup.name();
  }

  @Override
  public Workload of(Workload workload) {
    return setup.parts() == 0
        ? workload
        : new Workload(
            workload.name(), workload.target().inParts(setup.parts()), workload.access());
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    if (setup.processors().isEmpty()) {
      return runHere(workload, prepared, phases, seed, stop);
    }
    String before = Processors.allowed();
    try {
      Processors.allow(setup.processors());
      return runHere(workload, prepared, phases, seed, stop);
    } catch (IllegalArgumentException e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    } finally {
      Processors.allow(before);
    }
  }

  private Outcome runHere(
      Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    Access access = workload.access();
    int blockBytes = access.blockBytesMin() % PAGE_BYTES == 0 ? PAGE_BYTES : SECTOR_BYTES;
    // The image of a live CD is kept and must not change.
    boolean readOnly = workload.target() instanceof Target.LiveCd;
    OpenOptions options = new OpenOptions(readOnly, access.direct(), blockBytes);
    try (Backing backing = Backings.open(prepared.backing(), options);
        Loops loops = Loops.start(setup.transport(), setup.loops())) {
      if (workload.target() instanceof Target.Ram) {
        Prefill.fill(backing);
      }
      VolumeTelemetry telemetry = new VolumeTelemetry("bench");
      RunningEngine running = open(backing, loops, access, telemetry);
      try (LoopEngine engine = running.engine();
          Load load =
              new Load(
                  engine,
                  loops.contexts(),
                  access,
                  backing.geometry().sizeBytes(),
                  backing.geometry().memoryAlignmentBytes(),
                  seed)) {
        return drive(load, running, telemetry, phases, stop);
      }
    } catch (BackingException | IllegalArgumentException e) {
      return new Outcome.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private RunningEngine open(
      Backing backing, Loops loops, Access access, VolumeTelemetry telemetry) {
    EngineEnvironment environment =
        new EngineEnvironment(
            "bench",
            backing,
            access.commandsInFlight() + QUEUE_RESERVE,
            true,
            loops.contexts(),
            telemetry,
            setup.options(),
            new BlockingWrites());
    return EngineStack.open(engines, setup.engine(), setup.nowait(), environment);
  }

  private static Outcome drive(
      Load load, RunningEngine running, VolumeTelemetry telemetry, Phases phases, Stop stop) {
    load.start();
    boolean stopped = await(load, phases.ramp(), stop);
    load.reset();
    Map<String, Long> countersBefore = counters(telemetry);
    CpuUse cpuBefore = ProcessCpu.now();
    long startNanos = System.nanoTime();
    stopped = stopped || await(load, phases.measured(), stop);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    CpuUse cpu = ProcessCpu.now().since(cpuBefore);
    LoadCounts counts = load.counts();
    Map<String, Long> counters = difference(counters(telemetry), countersBefore);
    if (!load.stop(STOP_TIMEOUT)) {
      return new Outcome.Failed("commands did not end within " + STOP_TIMEOUT.toSeconds() + " s");
    }
    if (load.failure().isPresent()) {
      return new Outcome.Failed(load.failure().get());
    }
    if (stopped) {
      return new Outcome.Interrupted();
    }
    return new Outcome.Measured(
        measurement(counts, seconds, cpu, counters), how(running), running.fastPath().reason());
  }

  private static Measurement measurement(
      LoadCounts counts, double seconds, CpuUse cpu, Map<String, Long> counters) {
    return new Measurement(
        seconds,
        counts.reads(),
        counts.writes(),
        counts.readBytes(),
        counts.writtenBytes(),
        Latency.of(counts.latencyNanos()),
        cpu,
        counters);
  }

  private static String how(RunningEngine running) {
    return running.spec() + ", " + running.reason();
  }

  /** Waits for so long, or until the load fails; returns whether the user wants to stop. */
  private static boolean await(Load load, Duration time, Stop stop) {
    long endNanos = System.nanoTime() + time.toNanos();
    while (load.failure().isEmpty()) {
      long leftNanos = endNanos - System.nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      if (stop.await(Duration.ofNanos(Math.min(leftNanos, LOOK_EVERY.toNanos())))) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, Long> counters(VolumeTelemetry telemetry) {
    Map<String, Long> counters = new TreeMap<>();
    for (NowaitOutcome outcome : NowaitOutcome.values()) {
      counters.put("read " + outcome.label(), telemetry.nowaitCount(BlockOp.READ, outcome));
      counters.put("write " + outcome.label(), telemetry.nowaitCount(BlockOp.WRITE, outcome));
    }
    counters.put("merged", telemetry.merged());
    counters.put("polls", telemetry.polls());
    counters.put("polled", telemetry.polled());
    return counters;
  }

  /** Leaves out what did not happen. */
  private static Map<String, Long> difference(Map<String, Long> now, Map<String, Long> before) {
    Map<String, Long> difference = new TreeMap<>();
    now.forEach(
        (name, count) -> {
          long since = count - before.getOrDefault(name, 0L);
          if (since > 0) {
            difference.put(name, since);
          }
        });
    return difference;
  }
}

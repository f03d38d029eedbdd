package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.SegmentedBacking;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;
import io.loopgate.layer.SegmentSplit;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Puts an engine and its layers on a backing; on one that has segments, an engine on each and a
 * split above. For control threads.
 */
final class EngineAssembly {
  /**
   * Commands that belong to requests already admitted, such as the flush of a group, find room
   * behind them.
   */
  private static final int QUEUE_RESERVE = 64;

  private final EngineSelector engines;
  private final List<LoopContext> loops;
  private final boolean unsafeInline;

  EngineAssembly(EngineSelector engines, List<LoopContext> loops, boolean unsafeInline) {
    this.engines = engines;
    this.loops = List.copyOf(loops);
    this.unsafeInline = unsafeInline;
  }

  /** Checks an engine's name; throws {@link IllegalArgumentException} naming the valid ones. */
  void check(String text) {
    engines.check(text);
  }

  /** Tells whether an engine wants nothing else to run while it opens, and the size kept. */
  boolean pinsFile(String engine) {
    return engines.pinsFile(engine);
  }

  /** Opens the engine of these settings; throws {@link IllegalArgumentException} if it cannot. */
  RunningEngine start(VolumeSettings settings, Backing backing, VolumeTelemetry telemetry) {
    int capacity = settings.limits().maxInFlight() + QUEUE_RESERVE;
    return backing instanceof SegmentedBacking segmented
        ? split(settings, segmented, telemetry, capacity)
        : whole(settings, settings.id(), backing, telemetry, capacity);
  }

  private RunningEngine whole(
      VolumeSettings settings,
      String name,
      Backing backing,
      VolumeTelemetry telemetry,
      int capacity) {
    // One for each file: the lock that such writes wait for is the file's.
    EngineEnvironment environment =
        new EngineEnvironment(
            name,
            backing,
            capacity,
            unsafeInline,
            loops,
            telemetry,
            settings.options(),
            new BlockingWrites());
    EngineSelector.Choice choice = engines.open(settings.engine(), environment);
    FastPath fastPath =
        FastPath.of(settings.nowait(), backing.capabilities(), choice.asynchronous());
    return new RunningEngine(
        layered(choice.engine(), settings.nowait(), fastPath, environment),
        choice.spec(),
        choice.reason(),
        fastPath,
        choice.pinsFile());
  }

  private static LoopEngine layered(
      LoopEngine engine, NowaitMode mode, FastPath fastPath, EngineEnvironment environment) {
    Backing backing = environment.backing();
    boolean direct = backing.capabilities().direct().available();
    if (mode == NowaitMode.OFF || direct || !(fastPath.read() || fastPath.write())) {
      return engine;
    }
    return new NowaitLayer(
        engine, backing, mode, environment.telemetry(), environment.blockingWrites());
  }

  private RunningEngine split(
      VolumeSettings settings, SegmentedBacking backing, VolumeTelemetry telemetry, int capacity) {
    List<RunningEngine> running = new ArrayList<>();
    try {
      for (Backing segment : backing.segments()) {
        running.add(segment(settings, running.size() + 1, segment, telemetry, capacity));
      }
    } catch (RuntimeException e) {
      running.forEach(opened -> opened.engine().close());
      throw e;
    }
    List<LoopEngine> opened = running.stream().map(RunningEngine::engine).toList();
    return new RunningEngine(
        new SegmentSplit(opened, backing.map(), capacity),
        spec(running),
        reason(running, backing.segments()),
        fastPath(running, backing.segments()),
        running.stream().anyMatch(RunningEngine::pinsFile));
  }

  private RunningEngine segment(
      VolumeSettings settings,
      int number,
      Backing segment,
      VolumeTelemetry telemetry,
      int capacity) {
    try {
      return whole(
          settings,
          settings.id() + "-s" + number,
          segment,
          telemetry,
          SegmentSplit.segmentCapacity(capacity));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name(number, segment) + ": " + e.getMessage(), e);
    }
  }

  /** Returns the engine of all segments, or the different ones joined like the segments are. */
  static EngineSpec spec(List<RunningEngine> running) {
    List<EngineSpec> specs = running.stream().map(RunningEngine::spec).distinct().toList();
    return specs.size() == 1
        ? specs.getFirst()
        : new EngineSpec(
            specs.stream().map(EngineSpec::toString).collect(Collectors.joining("+")), "");
  }

  static String reason(List<RunningEngine> running, List<Backing> segments) {
    if (running.stream().map(RunningEngine::reason).distinct().count() == 1) {
      return "one for each of "
          + running.size()
          + (running.size() == 1 ? " segment: " : " segments: ")
          + running.getFirst().reason();
    }
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < running.size(); i++) {
      RunningEngine one = running.get(i);
      reasons.add(name(i + 1, segments.get(i)) + ": " + one.spec() + ", " + one.reason());
    }
    return String.join("; ", reasons);
  }

  private static FastPath fastPath(List<RunningEngine> running, List<Backing> segments) {
    List<String> names = new ArrayList<>();
    for (Backing segment : segments) {
      names.add(name(names.size() + 1, segment));
    }
    return FastPath.joined(running.stream().map(RunningEngine::fastPath).toList(), names);
  }

  private static String name(int number, Backing segment) {
    return "segment " + number + " (" + segment.description() + ")";
  }
}

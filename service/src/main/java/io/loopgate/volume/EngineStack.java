package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.SegmentedBacking;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;
import io.loopgate.layer.SegmentSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Opens an engine and puts the layers on top of it; on a backing that has segments, an engine on
 * each and a split above. The same for a volume that is served and for one that is measured. For
 * control threads.
 */
public final class EngineStack {
  private final EngineSelector engines;
  private final String engine;
  private final NowaitMode nowait;

  private EngineStack(EngineSelector engines, String engine, NowaitMode nowait) {
    this.engines = engines;
    this.engine = engine;
    this.nowait = nowait;
  }

  /**
   * Opens an engine on the backing of an environment.
   *
   * @param engine the engine as users write it, such as {@code workers:4}, or {@code auto}
   * @throws IllegalArgumentException if the name means nothing or the engine cannot run here; with
   *     cause and remedy
   */
  public static RunningEngine open(
      EngineSelector engines, String engine, NowaitMode nowait, EngineEnvironment environment) {
    EngineStack stack = new EngineStack(engines, engine, nowait);
    return environment.backing() instanceof SegmentedBacking segmented
        ? stack.split(segmented, environment)
        : stack.whole(environment);
  }

  private RunningEngine whole(EngineEnvironment environment) {
    return whole(engines.open(engine, environment), environment);
  }

  private RunningEngine whole(EngineSelector.Choice choice, EngineEnvironment environment) {
    FastPath fastPath =
        FastPath.of(nowait, environment.backing().capabilities(), choice.asynchronous());
    return new RunningEngine(
        layered(choice.engine(), fastPath, environment),
        choice.spec(),
        choice.reason(),
        fastPath,
        choice.pinsFile());
  }

  private LoopEngine layered(LoopEngine opened, FastPath fastPath, EngineEnvironment environment) {
    Backing backing = environment.backing();
    boolean direct = backing.capabilities().direct().available();
    if (nowait == NowaitMode.OFF || direct || !(fastPath.read() || fastPath.write())) {
      return opened;
    }
    return new NowaitLayer(
        opened, backing, nowait, environment.telemetry(), environment.blockingWrites());
  }

  private RunningEngine split(SegmentedBacking backing, EngineEnvironment environment) {
    List<RunningEngine> running = new ArrayList<>();
    int capacity = SegmentSplit.segmentCapacity(environment.queueCapacity());
    try {
      for (Backing segment : backing.segments()) {
        int number = running.size() + 1;
        EngineEnvironment below = environment.forSegment(number, segment, capacity);
        running.add(whole(choose(number, below), below));
      }
    } catch (RuntimeException e) {
      running.forEach(opened -> opened.engine().close());
      throw e;
    }
    List<LoopEngine> opened = running.stream().map(RunningEngine::engine).toList();
    return new RunningEngine(
        new SegmentSplit(opened, backing.map(), environment.queueCapacity()),
        spec(running),
        reason(running, backing.segments()),
        fastPath(running, backing.segments()),
        running.stream().anyMatch(RunningEngine::pinsFile));
  }

  private EngineSelector.Choice choose(int number, EngineEnvironment environment) {
    try {
      return engines.open(engine, environment);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name(number, environment.backing()) + ": " + e.getMessage(), e);
    }
  }

  private static FastPath fastPath(List<RunningEngine> running, List<Backing> segments) {
    List<String> names = new ArrayList<>();
    for (Backing segment : segments) {
      names.add(name(names.size() + 1, segment));
    }
    return FastPath.joined(running.stream().map(RunningEngine::fastPath).toList(), names);
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

  private static String name(int number, Backing segment) {
    return "segment " + number + " (" + segment.description() + ")";
  }
}

package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngine;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;

/**
 * Opens an engine and puts the layers on top of it: the same for a volume that is served and for
 * one that is measured. For control threads.
 */
public final class EngineStack {
  private EngineStack() {}

  /**
   * Opens an engine on the backing of an environment.
   *
   * @param engine the engine as users write it, such as {@code workers:4}, or {@code auto}
   * @throws IllegalArgumentException if the name means nothing or the engine cannot run here; with
   *     cause and remedy
   */
  public static RunningEngine open(
      EngineSelector engines, String engine, NowaitMode nowait, EngineEnvironment environment) {
    EngineSelector.Choice choice = engines.open(engine, environment);
    FastPath fastPath = FastPath.of(nowait, environment.backing().capabilities(), choice.asynchronous());
    return new RunningEngine(
        layered(choice.engine(), nowait, fastPath, environment),
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
}

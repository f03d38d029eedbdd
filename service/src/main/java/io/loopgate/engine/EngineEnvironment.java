package io.loopgate.engine;

import io.loopgate.backing.Backing;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.List;

/**
 * What an engine is opened on.
 *
 * @param volume the volume's name, for thread names and messages
 * @param backing where commands run; the engine does not close it
 * @param queueCapacity how many commands may be in flight
 * @param unsafeInline whether the user allowed blocking calls on event loops
 * @param loops the event loops that will submit
 * @param telemetry where waits and outcomes are counted
 */
public record EngineEnvironment(
    String volume,
    Backing backing,
    int queueCapacity,
    boolean unsafeInline,
    List<LoopContext> loops,
    VolumeTelemetry telemetry) {
  /** Copies the list. */
  public EngineEnvironment {
    loops = List.copyOf(loops);
    if (queueCapacity < 1) {
      throw new IllegalArgumentException(
          "queueCapacity has to be at least 1, not " + queueCapacity);
    }
  }
}

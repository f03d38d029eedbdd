package io.loopgate.volume;

import io.loopgate.engine.EngineOptions;
import java.util.Optional;

/**
 * What a client wants changed in how an engine runs; what is empty stays.
 *
 * @param queues see {@link EngineOptions}
 * @param depth see {@link EngineOptions}
 * @param merge see {@link EngineOptions}
 * @param punt see {@link EngineOptions}
 */
public record EngineOptionsUpdate(
    Optional<Integer> queues,
    Optional<Integer> depth,
    Optional<Boolean> merge,
    Optional<Boolean> punt) {
  /** Changes nothing. */
  public static final EngineOptionsUpdate NONE =
      new EngineOptionsUpdate(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * Returns the options after the change.
   *
   * @throws IllegalArgumentException if a number is out of bounds
   */
  public EngineOptions appliedTo(EngineOptions before) {
    return new EngineOptions(
        queues.orElse(before.queues()),
        depth.orElse(before.depth()),
        merge.orElse(before.merge()),
        punt.orElse(before.punt()));
  }
}

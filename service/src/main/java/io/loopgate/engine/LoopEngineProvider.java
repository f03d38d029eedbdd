package io.loopgate.engine;

import io.loopgate.backing.Support;
import java.util.Optional;

/**
 * One strategy, found by {@link java.util.ServiceLoader}. Stateless; any thread.
 *
 * <p>Order of calls: {@link #configure}, {@link #probe}, {@link #open}. Probing has no lasting
 * effect.
 */
public interface LoopEngineProvider {
  /** Returns the name users write, such as {@code workers}. */
  String name();

  /** Returns one line for help texts: what it is and its counterpart in the kernel. */
  String summary();

  /**
   * Reads the argument of the name.
   *
   * @throws IllegalArgumentException if it means nothing; the message names the valid forms
   */
  EngineConfig configure(EngineSpec spec);

  /**
   * Returns how many queues suit the engine where the user named no number: rings go one to a loop,
   * threads share one.
   */
  default int defaultQueues(EngineConfig config, EngineEnvironment environment) {
    return 1;
  }

  /**
   * Tells whether commands of a direct volume go to the kernel from the event loop and end later,
   * which is the one way for them not to wait: the same call made in line waits for the device
   * whenever it succeeds. The reason says how, or what happens instead.
   */
  default Support asynchronous(EngineConfig config, EngineEnvironment environment) {
    return Support.no("engine " + name() + " calls the kernel and waits");
  }

  /**
   * Tells whether the engine relies on the file staying as it was found when it was opened. Nothing
   * else may run on the backing while it opens, and the backing keeps its size until another engine
   * takes over.
   */
  default boolean pinsFile() {
    return false;
  }

  /**
   * Returns why {@code auto} had better take a later one although this one can run; empty if there
   * is no such reason.
   */
  default Optional<String> objection(EngineConfig config, EngineEnvironment environment) {
    return Optional.empty();
  }

  /** Tells whether the engine can run on this backing, by trying. */
  Availability probe(EngineConfig config, EngineEnvironment environment);

  /** Opens an engine, or one queue of it, that a probe found available. */
  LoopEngine open(EngineConfig config, EngineEnvironment environment);
}

package io.loopgate.engine;

import io.loopgate.block.CompletionSink;
import java.util.Optional;

/**
 * An event loop as the parts below {@code http} see it: something that runs tasks one after the
 * other.
 *
 * <p>Methods may be called from every thread.
 */
public interface LoopContext {
  /** Returns the number of the loop, counted from 0. */
  int index();

  /** Runs a task on the loop, soon, in order. Never blocks. */
  void execute(Runnable task);

  /** Runs a task on the loop after a while, not sooner. Called on the loop itself. */
  void schedule(Runnable task, long delayNanos);

  /** Returns where commands submitted on this loop go when they end. */
  CompletionSink completions();

  /**
   * Returns the framework's own loop for the one engine that needs it, if this is one of that type.
   */
  <T> Optional<T> unwrap(Class<T> type);
}

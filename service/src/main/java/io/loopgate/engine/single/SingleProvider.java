package io.loopgate.engine.single;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.engine.QueuedWorkers;

/**
 * {@code single}: one thread takes commands from one queue, strictly one at a time.
 *
 * <p>Counterpart: {@code loop_thread()} of drivers/block/loop.c up to 3.19, and the kthread_worker
 * of 4.4 to 5.13 (e03a3d7a94e2). One slow command holds up all behind it; that is the point of
 * having it to compare with.
 */
public final class SingleProvider implements LoopEngineProvider {
  /** There is nothing to set. */
  record Config() implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("single", "");
    }
  }

  @Override
  public String name() {
    return "single";
  }

  @Override
  public String summary() {
    return "one thread, one queue (the loop driver up to 3.19, again 4.4 to 5.13)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    if (!spec.argument().isEmpty()) {
      throw new IllegalArgumentException(
          "engine single takes no argument, not \""
              + spec.argument()
              + "\"; for N threads write workers:N");
    }
    return new Config();
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    return new Availability.Available("needs nothing but a thread");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    return new QueuedWorkers(name(), 1, environment);
  }
}

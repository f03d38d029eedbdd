package io.loopgate.engine.virtual;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LanedEngine;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;
import io.loopgate.engine.ThreadLane;

/**
 * {@code virtual:M}: a virtual thread for each command, and at most M at a time.
 *
 * <p>Without a counterpart in the kernel; it is here because it is the first thing that comes to
 * mind in Java, and to show what it is worth. A system call that waits holds the carrier of its
 * virtual thread, so no more commands really run than there are carriers, about one for each
 * processor. A device that hangs takes carriers from every virtual thread of the process: volumes
 * that must not suffer so take another engine.
 */
public final class VirtualProvider implements LoopEngineProvider {
  private static final int LIMIT_MAX = 4096;
  private static final int LIMIT_DEFAULT = 128;
  private static final int SLOW_THREADS = 1;

  /**
   * How many commands at a time.
   *
   * @param limit 0: the default
   */
  record Config(int limit) implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("virtual", limit == 0 ? "" : Integer.toString(limit));
    }

    int limitOrDefault() {
      return limit == 0 ? LIMIT_DEFAULT : limit;
    }
  }

  @Override
  public String name() {
    return "virtual";
  }

  @Override
  public String summary() {
    return "a virtual thread per command, at most M; only one per carrier really runs (to compare)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    return new Config(spec.count("virtual:M", "commands at a time", LIMIT_MAX));
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    return new Availability.Available(
        "at most "
            + ((Config) config).limitOrDefault()
            + " virtual threads at a time; a device that hangs may stop all volumes of this engine");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    String name = "loopgate-virtual-" + environment.volume();
    int capacity = environment.queueCapacity();
    int most = Math.min(((Config) config).limitOrDefault(), environment.options().depth());
    EngineCommands commands = new EngineCommands(environment, most + SLOW_THREADS);
    VirtualLane transfers = new VirtualLane(name, most, capacity, commands);
    // A platform thread: these take so long that each would cost a carrier.
    ThreadLane slow = new ThreadLane(name + "-slow", SLOW_THREADS, environment, commands);
    return new LanedEngine(commands, transfers, transfers, slow);
  }
}

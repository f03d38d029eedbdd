package io.loopgate.engine.workers;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;

/**
 * {@code workers:N}: N threads take commands from one queue, but for what would hold up reads: see
 * {@link WorkerLanes}.
 *
 * <p>Counterpart: the multiple-workers patch for the loop driver, 2020, whose gain stopped at three
 * workers. Default: 4 for buffered volumes; 8 for direct ones, where each command in flight needs a
 * thread of its own.
 */
public final class WorkersProvider implements LoopEngineProvider {
  private static final int THREADS_MAX = 256;
  private static final int BUFFERED_DEFAULT = 4;
  private static final int DIRECT_DEFAULT = 8;

  /**
   * How many threads.
   *
   * @param threads 0: the default for the kind of volume
   */
  record Config(int threads) implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("workers", threads == 0 ? "" : Integer.toString(threads));
    }

    int threadsFor(EngineEnvironment environment) {
      if (threads > 0) {
        return threads;
      }
      return environment.backing().capabilities().direct().available()
          ? DIRECT_DEFAULT
          : BUFFERED_DEFAULT;
    }
  }

  @Override
  public String name() {
    return "workers";
  }

  @Override
  public String summary() {
    return "N threads; flush, discard, zero and buffered writes apart (multiple workers, 2020)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    return new Config(spec.count("workers:N", "threads", THREADS_MAX));
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    return new Availability.Available(((Config) config).threadsFor(environment) + " threads");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    return WorkerLanes.open(((Config) config).threadsFor(environment), environment);
  }
}

package io.loopgate.engine.workqueue;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LanedEngine;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.LoopEngineProvider;

/**
 * {@code workqueue:M}: a growing pool of threads that all volumes share, and at most M of them at a
 * time for one volume.
 *
 * <p>Counterpart: the blk-mq conversion of the loop driver, Linux 4.0 (b5dd2f6047ca), where every
 * request became a work item: {@code max_active} was 512 at first, 16 from 4.1 on (4d4e41aef942),
 * and 128 was proposed.
 *
 * <p>There every cap below 128 made a boot from a live CD slower; here a larger M costs nothing,
 * since {@link PooledLane} calls no worker that is not needed. 64 reads of 4 to 128 KiB at a time
 * from the cache, 2 processors, medians in thousands a second: M = 1: 105; 2: 180; 4: 198; 16 and
 * 32: 202; 64: 204; 128: 198; 512: 196. Reads and writes share the M, as in the kernel: writes of a
 * buffered file that fight for its inode's lock may have them all.
 */
public final class WorkqueueProvider implements LoopEngineProvider {
  private static final int LIMIT_MAX = 512;
  private static final int LIMIT_DEFAULT = 16;
  private static final int SLOW_LIMIT = 1;

  /**
   * How many commands at a time.
   *
   * @param limit 0: the default
   */
  record Config(int limit) implements EngineConfig {
    @Override
    public EngineSpec spec() {
      return new EngineSpec("workqueue", limit == 0 ? "" : Integer.toString(limit));
    }

    int limitOrDefault() {
      return limit == 0 ? LIMIT_DEFAULT : limit;
    }
  }

  @Override
  public String name() {
    return "workqueue";
  }

  @Override
  public String summary() {
    return "a growing pool of threads for all volumes, at most M for one (blk-mq, Linux 4.0)";
  }

  @Override
  public EngineConfig configure(EngineSpec spec) {
    return new Config(spec.count("workqueue:M", "commands at a time", LIMIT_MAX));
  }

  @Override
  public Availability probe(EngineConfig config, EngineEnvironment environment) {
    return new Availability.Available(
        "at most " + ((Config) config).limitOrDefault() + " at a time, of a pool for all volumes");
  }

  @Override
  public LoopEngine open(EngineConfig config, EngineEnvironment environment) {
    return open(((Config) config).limitOrDefault(), environment, WorkerPool.SHARED);
  }

  static LoopEngine open(int limit, EngineEnvironment environment, WorkerPool pool) {
    String name = "workqueue of " + environment.volume();
    int capacity = environment.queueCapacity();
    int most = Math.min(limit, environment.options().depth());
    EngineCommands commands = new EngineCommands(environment, most + SLOW_LIMIT);
    PooledLane transfers = new PooledLane(name, most, capacity, pool, commands);
    PooledLane slow = new PooledLane(name + ", slow lane", SLOW_LIMIT, capacity, pool, commands);
    return new LanedEngine(commands, transfers, transfers, slow);
  }
}

package io.loopgate.engine.workers;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.LanedEngine;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.ThreadLane;

/**
 * The lanes of {@code workers:N}, each with platform threads of its own.
 *
 * <ul>
 *   <li>reads: N threads; on direct volumes writes too, since the kernel runs aligned overwrites
 *       side by side;
 *   <li>writes to a file through the page cache: at most {@value #WRITERS_PER_FILE_MAX} threads;
 *   <li>flush, discard and zero: one thread.
 * </ul>
 *
 * <p>Buffered writers of one file fight for its inode's lock. Random writes of 4 KiB (64 KiB) to
 * 256 MiB in the cache, ext4, Linux 6.18, 2 processors, medians of 5 in thousands a second: 1
 * writer 266 (59), 2 writers 311 (85), 4 writers 313 (73), 8 writers 252 (78). io_uring came to 2
 * as well when it capped the workers that take such writes (54a91f3bb9b9).
 */
final class WorkerLanes {
  static final int WRITERS_PER_FILE_MAX = 2;

  private static final int SLOW_THREADS = 1;

  private WorkerLanes() {}

  static LoopEngine open(int threads, EngineEnvironment environment) {
    String name = "loopgate-workers-" + environment.volume();
    boolean fight = writersFight(environment.backing().capabilities());
    int writers = fight ? Math.min(threads, WRITERS_PER_FILE_MAX) : 0;
    EngineCommands commands = new EngineCommands(environment, threads + writers + SLOW_THREADS);
    ThreadLane reads = new ThreadLane(name, threads, environment, commands);
    ThreadLane writes =
        fight ? new ThreadLane(name + "-write", writers, environment, commands) : reads;
    ThreadLane slow = new ThreadLane(name + "-slow", SLOW_THREADS, environment, commands);
    return new LanedEngine(commands, reads, writes, slow);
  }

  private static boolean writersFight(BackingCapabilities capabilities) {
    return !capabilities.direct().available() && !capabilities.neverBlocks();
  }
}

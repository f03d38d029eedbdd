package io.loopgate.engine.workqueue;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandLane;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.Watch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A lane that borrows workers of a pool, up to a limit and no more than seem to be needed.
 *
 * <p>Waking a thread costs more than a short command, so a worker takes one command after the
 * other, and a further one is called only when commands wait and
 *
 * <ul>
 *   <li>there is none, or
 *   <li>they wait long, and there are fewer workers than processors could use, or
 *   <li>the workers seem to sleep in their system calls: either commands take longer than copying
 *       their bytes would, or the {@link Watch} saw none end between two looks.
 * </ul>
 *
 * <p>Each command taken calls at most one. This is what the kernel's concurrency-managed work
 * queues do, which hear from the scheduler what is guessed here.
 */
final class PooledLane implements CommandLane {
  /**
   * How many workers can be of use that do not sleep: one for each processor, and one that is about
   * to take its place.
   */
  private static final int BUSY_WORKERS = 2 * Runtime.getRuntime().availableProcessors();

  /** Waking a thread takes about a third of it. */
  private static final long LONG_WAIT_NANOS = 20_000;

  /** What no read from the cache takes, but for a switch of threads in its middle. */
  private static final long QUICK_NANOS = 25_000;

  private static final long QUICK_NANOS_PER_BYTE = 1;

  /** A thread that loses its processor makes a command slow, and its fellows' too: not so few. */
  private static final double SLOW_WEIGHT = 1.0 / 32;

  private static final double SLOW_SHARE = 0.25;
  private static final long NOT_LOOKED = Long.MIN_VALUE;

  private final String name;
  private final int limit;
  private final WorkerPool pool;
  private final EngineCommands commands;
  private final CommandQueue queue;
  private final AtomicInteger workers = new AtomicInteger();

  /** How many of the last commands were slow. Plain: a lost update makes no difference. */
  private double slowShare;

  private long endedAtLook = NOT_LOOKED;
  private int looksWithoutEnd;

  PooledLane(String name, int limit, int capacity, WorkerPool pool, EngineCommands commands) {
    this.name = name;
    this.limit = limit;
    this.pool = pool;
    this.commands = commands;
    this.queue = new CommandQueue(capacity);
    pool.add(this);
  }

  @Override
  public boolean offer(BlockRequest request) {
    if (!queue.add(request)) {
      return false;
    }
    int now = workers.get();
    if (now == 0) {
      call(1);
    } else if (now < limit) {
      if (seemsToSleep()) {
        call(limit);
      } else {
        pool.watch();
      }
    }
    return true;
  }

  private boolean seemsToSleep() {
    return slowShare > SLOW_SHARE;
  }

  /** Calls a worker unless there are so many. */
  private void call(int most) {
    int now = workers.get();
    while (now < most) {
      if (workers.compareAndSet(now, now + 1)) {
        if (!pool.start(this, now == 0)) {
          workers.decrementAndGet();
          pool.watch();
        }
        return;
      }
      now = workers.get();
    }
  }

  /** Runs commands until none is left; on a worker. */
  void serve() {
    boolean unharmed = false;
    try {
      do {
        BlockRequest request = queue.poll();
        while (request != null) {
          run(request);
          request = queue.poll();
        }
        unharmed = true;
        workers.decrementAndGet();
        // Who queued a command just now may have seen a worker and called none.
      } while (queue.size() > 0 && comeBack());
    } finally {
      if (!unharmed) {
        workers.decrementAndGet();
      }
    }
  }

  private boolean comeBack() {
    int now = workers.get();
    while (now < limit) {
      if (workers.compareAndSet(now, now + 1)) {
        return true;
      }
      now = workers.get();
    }
    return false;
  }

  private void run(BlockRequest request) {
    if (queue.size() > 0) {
      if (seemsToSleep()) {
        call(limit);
      } else if (System.nanoTime() - request.startNanos() > LONG_WAIT_NANOS) {
        call(Math.min(limit, BUSY_WORKERS));
      }
    }
    long quickNanos = QUICK_NANOS + QUICK_NANOS_PER_BYTE * request.lengthBytes();
    boolean slow = commands.run(request) > quickNanos;
    slowShare += ((slow ? 1 : 0) - slowShare) * SLOW_WEIGHT;
  }

  /** Looks after the lane; on the watch's thread. Returns whether a command waits. */
  boolean look() {
    int now = workers.get();
    if (queue.size() == 0 || now >= limit) {
      endedAtLook = NOT_LOOKED;
      looksWithoutEnd = 0;
      return queue.size() > 0;
    }
    long ended = queue.taken() - now;
    looksWithoutEnd = ended == endedAtLook ? looksWithoutEnd + 1 : 0;
    endedAtLook = ended;
    if (now == 0) {
      // Its first worker is just being called, or could not be had.
      call(1);
    } else if (looksWithoutEnd > 0) {
      call(limit);
    }
    if (looksWithoutEnd > 1) {
      // Not for want of a processor, then.
      slowShare = 1;
    }
    return true;
  }

  @Override
  public void close() {
    pool.remove(this);
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      commands.end(left, -Errno.CLOSED);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}

package io.loopgate.engine.workqueue;

import io.loopgate.engine.Watch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The worker threads of all volumes: made on demand, gone after a while without work, bounded in
 * total.
 *
 * <p>A stack of places, each with or without a thread. Who needs a worker takes the top one, so
 * that those below stay idle, time out, and give their thread back. Taking and putting back is a
 * compare-and-set; nothing blocks and nothing is allocated but threads.
 *
 * <p>A part of the places is only for lanes that have no worker at all, so that volumes whose
 * device hangs cannot keep others from going on: the kernel's rescuers ({@code WQ_MEM_RECLAIM}).
 */
final class WorkerPool {
  /** How long a thread waits for work before it ends. */
  static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

  /**
   * Workers that hang hold up other commands for two of these. Longer than a thread's turn on a
   * processor: who looks each 0.4 ms takes workers that wait for their turn for ones that sleep,
   * and the further ones make it worse (4 readers of the cache 0.86, 16 readers 0.85 of this).
   */
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(4);

  private static final int WORKERS_MAX = 1024;
  private static final int RESCUERS = 128;

  /** The pool that all volumes share. */
  static final WorkerPool SHARED = new WorkerPool(WORKERS_MAX, RESCUERS, IDLE_TIMEOUT);

  /** The top place's number is kept in the lower bits, counted from 1; a version above them. */
  private static final int NUMBER_BITS = 16;

  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

  private final Worker[] workers;
  private final int furtherMax;
  private final AtomicLong top = new AtomicLong();
  private final AtomicInteger busy = new AtomicInteger();
  private final List<PooledLane> lanes = new CopyOnWriteArrayList<>();
  private final Watch watch = new Watch("loopgate-workqueue-watch", LOOK_INTERVAL, this::look);

  WorkerPool(int workersMax, int rescuers, Duration idleTimeout) {
    this.furtherMax = workersMax - rescuers;
    this.workers = new Worker[workersMax];
    for (int number = workersMax; number > 0; number--) {
      workers[number - 1] = new Worker(number, this, idleTimeout.toNanos());
      push(workers[number - 1]);
    }
  }

  /** Looks after a lane until {@link #remove}. For control threads. */
  void add(PooledLane lane) {
    lanes.add(lane);
    watch.start();
  }

  void remove(PooledLane lane) {
    lanes.remove(lane);
  }

  /** Sees to it that lanes whose commands wait are looked after. Never blocks. */
  void watch() {
    watch.wake();
  }

  private boolean look() {
    boolean anyWaits = false;
    for (PooledLane lane : lanes) {
      anyWaits |= lane.look();
    }
    return anyWaits;
  }

  /**
   * Lets a worker serve a lane.
   *
   * @param isFirst whether the lane has no other worker
   * @return false if there is none to be had
   */
  boolean start(PooledLane lane, boolean isFirst) {
    if (!isFirst && busy.get() >= furtherMax) {
      return false;
    }
    Worker worker = pop();
    if (worker == null) {
      return false;
    }
    busy.incrementAndGet();
    if (worker.serve(lane)) {
      return true;
    }
    putBack(worker);
    return false;
  }

  /** Takes back a worker that has nothing to do. */
  void putBack(Worker worker) {
    push(worker);
    busy.decrementAndGet();
  }

  /** Returns how many workers serve a lane. */
  int busy() {
    return busy.get();
  }

  /** Returns how many threads there are. */
  int threads() {
    int count = 0;
    for (Worker worker : workers) {
      count += worker.hasThread() ? 1 : 0;
    }
    return count;
  }

  private void push(Worker worker) {
    while (true) {
      long before = top.get();
      worker.below = (int) (before & NUMBER_MASK);
      if (top.compareAndSet(before, next(before, worker.number))) {
        return;
      }
    }
  }

  private @Nullable Worker pop() {
    while (true) {
      long before = top.get();
      int number = (int) (before & NUMBER_MASK);
      if (number == 0) {
        return null;
      }
      Worker worker = workers[number - 1];
      if (top.compareAndSet(before, next(before, worker.below))) {
        return worker;
      }
    }
  }

  /** The version makes a top that was taken and put back meanwhile another one. */
  private static long next(long before, int number) {
    return ((before >>> NUMBER_BITS) + 1) << NUMBER_BITS | number;
  }
}

package io.loopgate.engine.workqueue;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A place of the pool, and its thread while it has one. Who took it from the pool is its owner. */
final class Worker {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private enum State {
    NO_THREAD,
    IDLE,
    BUSY
  }

  /** Counted from 1. */
  final int number;

  /** The number of the place below in the pool's stack; 0: none. */
  volatile int below;

  private final WorkerPool pool;
  private final long idleTimeoutNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.NO_THREAD);
  private volatile @Nullable PooledLane lane;
  private volatile @Nullable Thread thread;

  Worker(int number, WorkerPool pool, long idleTimeoutNanos) {
    this.number = number;
    this.pool = pool;
    this.idleTimeoutNanos = idleTimeoutNanos;
  }

  /** Serves a lane; returns false if there can be no thread. For the owner. */
  boolean serve(PooledLane work) {
    lane = work;
    if (state.compareAndSet(State.IDLE, State.BUSY)) {
      LockSupport.unpark(thread);
      return true;
    }
    state.set(State.BUSY);
    try {
      thread =
          Thread.ofPlatform().name("loopgate-workqueue-" + number).daemon(true).start(this::work);
      return true;
    } catch (OutOfMemoryError e) {
      // What the JVM says when the system has no more threads.
      lane = null;
      state.set(State.NO_THREAD);
      LOG.error("no further thread for {}", work, e);
      return false;
    }
  }

  boolean hasThread() {
    return state.get() != State.NO_THREAD;
  }

  private void work() {
    do {
      boolean unharmed = false;
      try {
        serveLane();
        unharmed = true;
      } finally {
        // If the JVM is broken the thread ends here; the place can have another one.
        state.set(unharmed ? State.IDLE : State.NO_THREAD);
        pool.putBack(this);
      }
    } while (awaitWork());
  }

  private void serveLane() {
    PooledLane work = lane;
    if (work != null) {
      lane = null;
      work.serve();
    }
  }

  /** Waits for work; returns false if there was none for so long that the thread shall end. */
  private boolean awaitWork() {
    long deadlineNanos = System.nanoTime() + idleTimeoutNanos;
    while (state.get() == State.IDLE) {
      long leftNanos = deadlineNanos - System.nanoTime();
      if (leftNanos > 0) {
        LockSupport.parkNanos(this, leftNanos);
      } else if (state.compareAndSet(State.IDLE, State.NO_THREAD)) {
        return false;
      }
    }
    return true;
  }
}

package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in, first-out queue between event loops and worker threads.
 *
 * <p>{@link #offer} never blocks, not even on a lock that a sleeping worker could hold: producers
 * and consumers claim cells of a ring by compare-and-set, after Vyukov's bounded MPMC queue. Only
 * takers sleep, on a semaphore that counts what is queued. Nothing is allocated after construction.
 */
public final class CommandQueue {
  private static final VarHandle TURNS = MethodHandles.arrayElementVarHandle(long[].class);

  private final @Nullable BlockRequest[] cells;
  private final long[] turns;
  private final int mask;
  private final AtomicLong head = new AtomicLong();
  private final AtomicLong tail = new AtomicLong();
  private final Semaphore queued = new Semaphore(0);

  /** Creates a queue for at least {@code capacity} commands, rounded up to a power of two. */
  public CommandQueue(int capacity) {
    int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    this.cells = new @Nullable BlockRequest[size];
    this.turns = new long[size];
    this.mask = size - 1;
    for (int i = 0; i < size; i++) {
      turns[i] = i;
    }
  }

  /** Adds a command; returns false if the queue is full. Never blocks; any thread. */
  public boolean offer(BlockRequest request) {
    while (true) {
      long position = tail.get();
      int cell = (int) position & mask;
      long ahead = turn(cell) - position;
      if (ahead < 0) {
        if (position - head.get() > mask) {
          return false;
        }
        // A taker claimed the cell and has not emptied it yet: its next instruction will. Not full.
        Thread.onSpinWait();
        continue;
      }
      if (ahead == 0 && tail.compareAndSet(position, position + 1)) {
        cells[cell] = request;
        TURNS.setRelease(turns, cell, position + 1);
        queued.release();
        return true;
      }
    }
  }

  /**
   * Removes the oldest command, waiting for one if there is none. Any number of threads.
   *
   * @throws InterruptedException when the thread is told to stop
   */
  public BlockRequest take() throws InterruptedException {
    queued.acquire();
    return remove();
  }

  /** Removes the oldest command if there is one. */
  public @Nullable BlockRequest poll() {
    return queued.tryAcquire() ? remove() : null;
  }

  /** Returns how many commands are queued, about. */
  public int size() {
    return queued.availablePermits();
  }

  /** Returns how many commands were removed so far. */
  public long taken() {
    return head.get();
  }

  private BlockRequest remove() {
    while (true) {
      long position = head.get();
      int cell = (int) position & mask;
      long ahead = turn(cell) - (position + 1);
      if (ahead == 0 && head.compareAndSet(position, position + 1)) {
        BlockRequest request = cells[cell];
        cells[cell] = null;
        TURNS.setRelease(turns, cell, position + mask + 1);
        if (request == null) {
          throw new IllegalStateException("empty cell at " + position);
        }
        return request;
      }
      // A producer claimed an earlier cell and has not filled it yet: its next instruction will.
      Thread.onSpinWait();
    }
  }

  private long turn(int cell) {
    return (long) TURNS.getAcquire(turns, cell);
  }
}

package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded first-in, first-out queue between event loops and worker threads.
 *
 * <p>Adding never blocks, not even on a lock that a sleeping worker could hold: producers and
 * consumers claim cells of a ring by compare-and-set, after Vyukov's bounded MPMC queue. Only
 * takers sleep. A command may be added without waking one, since a wake-up costs more than a short
 * command: takers that are awake find it, and one wake-up serves all that was added before it.
 */
public final class CommandQueue {
  private static final VarHandle TURNS = MethodHandles.arrayElementVarHandle(long[].class);

  private final @Nullable BlockRequest[] cells;
  private final long[] turns;
  private final int mask;
  private final AtomicLong head = new AtomicLong();
  private final AtomicLong tail = new AtomicLong();

  /** How many takers are about to sleep, or do, and were not chosen to be woken. */
  private final AtomicInteger sleepers = new AtomicInteger();

  /** One for each that was chosen. */
  private final Semaphore wakeUps = new Semaphore(0);

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

  /**
   * Adds a command, which takers that are awake will find; a {@link #wake} has to follow.
   *
   * @return false if the queue is full. Never blocks; any thread.
   */
  public boolean add(BlockRequest request) {
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
        return true;
      }
    }
  }

  /** Wakes one taker, if one sleeps; who added commands may be sure that one looks for them. */
  public void wake() {
    // What was added is visible to who notes that it will sleep and looks once more, or its note is
    // visible here.
    VarHandle.fullFence();
    int asleep = sleepers.get();
    while (asleep > 0) {
      if (sleepers.compareAndSet(asleep, asleep - 1)) {
        wakeUps.release();
        return;
      }
      asleep = sleepers.get();
    }
  }

  /**
   * Removes the oldest command, waiting for one if there is none. Any number of threads.
   *
   * @throws InterruptedException when the thread is told to stop, also if there are commands
   */
  public BlockRequest take() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    BlockRequest taken = poll();
    while (taken == null) {
      sleepers.incrementAndGet();
      taken = poll();
      if (taken == null) {
        sleep();
        taken = poll();
      } else if (!stayAwake()) {
        wakeUps.acquireUninterruptibly();
      }
    }
    if (size() > 0) {
      // There may be work for another one.
      wake();
    }
    return taken;
  }

  private void sleep() throws InterruptedException {
    try {
      wakeUps.acquire();
    } catch (InterruptedException e) {
      if (!stayAwake()) {
        // Chosen, and leaves: another one has to look.
        wakeUps.acquireUninterruptibly();
        wake();
      }
      throw e;
    }
  }

  /** Takes back the note that this thread will sleep; false if it was chosen to be woken. */
  private boolean stayAwake() {
    int asleep = sleepers.get();
    while (asleep > 0) {
      if (sleepers.compareAndSet(asleep, asleep - 1)) {
        return true;
      }
      asleep = sleepers.get();
    }
    return false;
  }

  /** Removes the oldest command if there is one. */
  public @Nullable BlockRequest poll() {
    while (true) {
      long position = head.get();
      int cell = (int) position & mask;
      long ahead = turn(cell) - (position + 1);
      if (ahead < 0) {
        return null;
      }
      if (ahead == 0 && head.compareAndSet(position, position + 1)) {
        BlockRequest request = cells[cell];
        cells[cell] = null;
        TURNS.setRelease(turns, cell, position + mask + 1);
        if (request == null) {
          throw new IllegalStateException("empty cell at " + position);
        }
        return request;
      }
    }
  }

  /** Returns how many commands are queued, about. */
  public int size() {
    return (int) Math.max(0, tail.get() - head.get());
  }

  /** Returns how many commands were removed so far. */
  public long taken() {
    return head.get();
  }

  private long turn(int cell) {
    return (long) TURNS.getAcquire(turns, cell);
  }
}

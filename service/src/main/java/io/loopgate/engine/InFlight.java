package io.loopgate.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Counts what was accepted and has not ended, up to a bound, and lets one control thread wait for
 * none.
 *
 * <p>Entering and leaving never block; any thread. After {@link #close} nothing enters.
 *
 * <p>Who hands the room on before he is done with what was inside leaves in two steps: after {@link
 * #beginLeaving} another may enter, but who waits for none still waits, until {@link #endLeaving}.
 */
public final class InFlight {
  /** How long a waiter sleeps at most before it looks again, in case it missed a wake-up. */
  private static final long NAP_NANOS = Duration.ofMillis(50).toNanos();

  /** One that is leaving; those inside are counted in the lower half. */
  private static final long LEAVING = 1L << 32;

  private final AtomicLong counts = new AtomicLong();
  private volatile int limit;
  private volatile boolean closed;
  private volatile @Nullable Thread waiter;

  /** Creates a count that admits {@code limit} at a time. */
  public InFlight(int limit) {
    this.limit = limit;
  }

  /** Changes how many are admitted; those inside stay. */
  public void limit(int newLimit) {
    limit = newLimit;
  }

  /** Returns how many are admitted at a time. */
  public int limit() {
    return limit;
  }

  /** Enters if there is room and the count is open. */
  public boolean tryEnter() {
    if ((int) counts.incrementAndGet() <= limit && !closed) {
      return true;
    }
    leave();
    return false;
  }

  /** Enters although there may be no room, for what belongs to something already inside. */
  public boolean enterAnyway() {
    counts.incrementAndGet();
    if (!closed) {
      return true;
    }
    leave();
    return false;
  }

  /** Leaves. */
  public void leave() {
    wakeIfNone(counts.decrementAndGet());
  }

  /** Makes room for another and is counted until {@link #endLeaving}. */
  public void beginLeaving() {
    counts.addAndGet(LEAVING - 1);
  }

  /** Leaves for good, after {@link #beginLeaving}. */
  public void endLeaving() {
    wakeIfNone(counts.addAndGet(-LEAVING));
  }

  private void wakeIfNone(long left) {
    if (left == 0) {
      Thread waits = waiter;
      if (waits != null) {
        LockSupport.unpark(waits);
      }
    }
  }

  /** Returns how many are inside or leaving. */
  public int count() {
    long now = counts.get();
    return Math.max(0, (int) now + (int) (now >> 32));
  }

  /** Lets nothing enter any more. */
  public void close() {
    closed = true;
  }

  /** Lets things enter again. */
  public void reopen() {
    closed = false;
  }

  /** Tells whether nothing may enter. */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Waits until nothing is inside or leaving; one thread at a time. Returns whether that came true
   * in time.
   */
  public boolean awaitNone(Duration timeout) {
    waiter = Thread.currentThread();
    try {
      long deadline = System.nanoTime() + timeout.toNanos();
      while (counts.get() != 0) {
        long left = deadline - System.nanoTime();
        if (left <= 0 || Thread.currentThread().isInterrupted()) {
          return false;
        }
        LockSupport.parkNanos(this, Math.min(left, NAP_NANOS));
      }
      return true;
    } finally {
      // A thread that no longer waits must not be woken by every request that leaves.
      waiter = null;
    }
  }
}

package io.loopgate.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many writes of a volume that may wait are queued or being submitted: the kernel's final hint
 * for its NOWAIT-first path ({@code lo_nr_blocking_writes}, 837ed3039646).
 *
 * <p>A write that races one which allocates loses the inode's lock anyway, so trying it without
 * waiting is wasted while there is any. One for all queues of a volume, since the lock is the
 * file's. Any thread.
 */
public final class BlockingWrites {
  private final AtomicInteger count = new AtomicInteger();

  /** A write goes to a thread that may wait. */
  public void began() {
    count.incrementAndGet();
  }

  /** That thread has handed it to the kernel, or is done with it. */
  public void ended() {
    count.decrementAndGet();
  }

  /** Tells whether there is any. */
  public boolean any() {
    return count.get() > 0;
  }
}

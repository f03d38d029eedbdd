package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;
import io.loopgate.engine.BlockingWrites;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one worker of a queue: hands to the kernel what may wait for it.
 *
 * <p>As the loop driver's worker reissues the request that was prepared, this one submits the same
 * slot again without {@code RWF_NOWAIT}. It may wait there, for blocks to be allocated or for the
 * inode's lock; the device's own time overlaps, since it waits for no result.
 */
final class Resubmitter {
  private final BlockingWrites blockingWrites;
  private final AtomicReference<@Nullable Slot> newest = new AtomicReference<>();
  private final Thread thread;
  private final Runnable refused;
  private volatile @Nullable Submitter submitter;
  private volatile boolean stopped;
  private final Batch batch;

  /**
   * Prepares it.
   *
   * @param refused runs when slots came free here
   */
  Resubmitter(String name, int slots, BlockingWrites blockingWrites, Runnable refused) {
    this.blockingWrites = blockingWrites;
    this.batch = new Batch(slots);
    this.refused = refused;
    this.thread = Thread.ofPlatform().name(name).daemon(true).unstarted(this::work);
  }

  void start(Submitter to) {
    submitter = to;
    thread.start();
  }

  /** Takes a slot over. Never blocks; any thread. */
  void push(Slot slot) {
    if (slot.op() == BlockOp.WRITE) {
      blockingWrites.began();
    }
    Slot before;
    do {
      before = newest.get();
      slot.setNext(before);
    } while (!newest.compareAndSet(before, slot));
    if (before == null) {
      LockSupport.unpark(thread);
    }
  }

  private void work() {
    Submitter to = submitter;
    while (!stopped && to != null) {
      Slot oldest = takeAll();
      if (oldest == null) {
        LockSupport.park(this);
      } else {
        handOver(oldest, to);
      }
    }
  }

  private void handOver(Slot oldest, Submitter to) {
    long nowNanos = System.nanoTime();
    int writes = 0;
    boolean freed = false;
    Slot each = oldest;
    while (each != null) {
      Slot following = each.next();
      each.setNext(null);
      writes += each.op() == BlockOp.WRITE ? 1 : 0;
      if (to.refill(each, nowNanos)) {
        batch.add(each);
      } else {
        freed = true;
      }
      each = following;
    }
    freed |= to.submit(batch);
    for (int i = 0; i < writes; i++) {
      blockingWrites.ended();
    }
    if (freed) {
      refused.run();
    }
  }

  /** Takes all slots that wait here, linked, oldest first. */
  private @Nullable Slot takeAll() {
    Slot reversed = null;
    Slot rest = newest.getAndSet(null);
    while (rest != null) {
      Slot following = rest.next();
      rest.setNext(reversed);
      reversed = rest;
      rest = following;
    }
    return reversed;
  }

  /** Returns what waits here and will not be handed over any more, because the thread is stuck. */
  @Nullable Slot abandon() {
    Slot oldest = takeAll();
    for (Slot each = oldest; each != null; each = each.next()) {
      if (each.op() == BlockOp.WRITE) {
        blockingWrites.ended();
      }
    }
    return oldest;
  }

  /** Ends the thread, which has nothing to do; returns whether it ended. */
  boolean stop(Duration timeout) {
    stopped = true;
    LockSupport.unpark(thread);
    return Threads.join(thread, timeout);
  }
}

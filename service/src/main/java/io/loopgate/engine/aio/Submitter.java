package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Ends;
import io.loopgate.sys.AsyncIo;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import io.loopgate.telemetry.VolumeTelemetry;

/**
 * Fills slots and hands them to the kernel. Any thread, each with a batch of its own.
 *
 * <p>What the kernel refuses takes the same way as what fails later: early failures that took a way
 * of their own were the bugs of the loop driver's series.
 */
final class Submitter {
  private static final SystemCalls CALLS = SystemCalls.instance();

  private final AsyncIo io;
  private final int fd;
  private final SlotPool pool;
  private final Nowait nowait;
  private final Resubmitter worker;
  private final Results results;
  private final Ends ends;
  private final VolumeTelemetry telemetry;
  private volatile boolean abandoned;

  Submitter(
      AsyncIo io,
      int fd,
      SlotPool pool,
      Nowait nowait,
      Resubmitter worker,
      Results results,
      Ends ends,
      VolumeTelemetry telemetry) {
    this.io = io;
    this.fd = fd;
    this.pool = pool;
    this.nowait = nowait;
    this.worker = worker;
    this.results = results;
    this.ends = ends;
    this.telemetry = telemetry;
  }

  /**
   * Moves groups into free slots, as many as there are: into the batch what may be tried here, to
   * the worker what may wait.
   */
  void dispatch(Groups groups, Batch batch) {
    long nowNanos = System.nanoTime();
    while (!groups.isEmpty() && !batch.isFull()) {
      Slot slot = pool.take();
      if (slot == null) {
        return;
      }
      if (!groups.pollInto(slot, nowNanos, ends)) {
        pool.give(slot);
        continue;
      }
      if (slot.parts() > 1) {
        telemetry.merged(slot.parts() - 1);
      }
      if (nowait.passesOver(slot, nowNanos)) {
        worker.push(slot);
      } else {
        fill(slot, nowait.tries(), nowNanos);
        batch.add(slot);
      }
    }
  }

  /**
   * Fills a slot for going to the kernel where it may wait.
   *
   * @return false if all that was left in it had expired: it is free again
   */
  boolean refill(Slot slot, long nowNanos) {
    if (slot.isMerged() && anyExpired(slot.head(), nowNanos)) {
      slot.split();
    }
    if (!slot.isMerged()) {
      while (slot.head().doneBytes() == 0 && slot.head().isExpired(nowNanos)) {
        ends.end(slot.pop(), -Errno.DEADLINE, null);
        if (slot.isEmpty()) {
          pool.give(slot);
          return false;
        }
      }
    }
    fill(slot, false, nowNanos);
    return true;
  }

  private static boolean anyExpired(BlockRequest chain, long nowNanos) {
    for (BlockRequest each = chain; each != null; each = each.next()) {
      if (each.isExpired(nowNanos)) {
        return true;
      }
    }
    return false;
  }

  private void fill(Slot slot, boolean tryNowait, long nowNanos) {
    BlockRequest head = slot.head();
    boolean write = head.op() == BlockOp.WRITE;
    int flags =
        (tryNowait ? LinuxConstants.RWF_NOWAIT : 0)
            | (write && head.isFua() ? LinuxConstants.RWF_DSYNC : 0);
    long bytes = head.remainingBytes();
    if (slot.isMerged()) {
      bytes = parts(slot);
      io.fillParts(slot.index(), write, fd, slot.parts(), head.remainingOffsetBytes(), flags);
    } else {
      io.fill(
          slot.index(),
          write,
          fd,
          head.remainingAddress(),
          bytes,
          head.remainingOffsetBytes(),
          flags);
    }
    slot.setTriesNowait(tryNowait);
    slot.hand(bytes, nowNanos);
  }

  private long parts(Slot slot) {
    long bytes = 0;
    int part = 0;
    for (BlockRequest each = slot.head(); each != null; each = each.next()) {
      io.part(slot.index(), part, each.remainingAddress(), each.remainingBytes());
      bytes += each.remainingBytes();
      part++;
    }
    return bytes;
  }

  /**
   * Hands a batch to the kernel and empties it.
   *
   * @return whether the kernel refused any, so that slots may be free again
   */
  boolean submit(Batch batch) {
    if (batch.isEmpty()) {
      return false;
    }
    if (abandoned) {
      // The descriptor may be another file's by now.
      for (int i = 0; i < batch.count(); i++) {
        results.abandon(pool.get(batch.slots()[i]));
      }
      batch.clear();
      return true;
    }
    boolean watched = nowait.isWatched();
    long waitsBefore = watched ? CALLS.threadWaits() : 0;
    long beforeNanos = System.nanoTime();
    boolean refused = false;
    int from = 0;
    while (from < batch.count()) {
      int taken = io.submit(batch.slots(), from, batch.count() - from);
      if (taken > 0) {
        from += taken;
      } else {
        Slot slot = pool.get(batch.slots()[from]);
        // Nothing taken and no reason given: as if there were no room.
        results.ended(slot, taken == 0 ? -Errno.EAGAIN : taken, null, beforeNanos);
        refused = true;
        from++;
      }
    }
    learn(batch, beforeNanos, watched && CALLS.threadWaits() > waitsBefore);
    batch.clear();
    return refused;
  }

  /** From now on nothing goes to the kernel any more: what comes ends at once. */
  void abandon() {
    abandoned = true;
  }

  /** What a try kept this thread is its share of the call: the kernel tells no more. */
  private void learn(Batch batch, long beforeNanos, boolean waited) {
    boolean reads = batch.tries(BlockOp.READ);
    boolean writes = batch.tries(BlockOp.WRITE);
    if (!reads && !writes) {
      return;
    }
    long afterNanos = System.nanoTime();
    long each = (afterNanos - beforeNanos) / batch.count();
    if (reads) {
      nowait.took(BlockOp.READ, each, waited, afterNanos);
    }
    if (writes) {
      nowait.took(BlockOp.WRITE, each, waited, afterNanos);
    }
  }
}

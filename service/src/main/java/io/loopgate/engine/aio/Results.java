package io.loopgate.engine.aio;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandLane;
import io.loopgate.engine.Ends;
import io.loopgate.engine.EngineCommands;
import io.loopgate.telemetry.VolumeTelemetry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a slot that the kernel is done with, or would not take.
 *
 * <p>Whole: its commands end. Would have waited: the worker hands it over once more. Short: the
 * rest does. A merged one that is short or failed: each of its commands on its own, so that each
 * gets its own result. Odd (nothing moved, interrupted, refused without a reason of its own): the
 * slow lane, which tries again within bounds. Any other error ends the command and keeps its
 * number.
 *
 * <p>Any thread that owns the slot.
 */
final class Results {
  private static final Logger LOG = LoggerFactory.getLogger(Results.class);

  private final SlotPool pool;
  private final Nowait nowait;
  private final Resubmitter worker;
  private final EngineCommands commands;
  private final CommandLane slowLane;
  private final Ends ends;
  private final VolumeTelemetry telemetry;
  private volatile long leastServiceNanos = Long.MAX_VALUE;

  Results(
      SlotPool pool,
      Nowait nowait,
      Resubmitter worker,
      EngineCommands commands,
      CommandLane slowLane,
      Ends ends,
      VolumeTelemetry telemetry) {
    this.pool = pool;
    this.nowait = nowait;
    this.worker = worker;
    this.commands = commands;
    this.slowLane = slowLane;
    this.ends = ends;
    this.telemetry = telemetry;
  }

  /** Returns the least time in which a transfer was done, or the largest number if none was. */
  long leastServiceNanos() {
    return leastServiceNanos;
  }

  /**
   * Takes a result.
   *
   * @param here the loop that runs this, or null where no completion may run
   */
  void ended(Slot slot, long result, @Nullable CompletionSink here, long nowNanos) {
    if (!slot.takeBack()) {
      LOG.error("a stray result {} for slot {}", result, slot.index());
      return;
    }
    if (slot.triesNowait()) {
      slot.setTriesNowait(false);
      if (nowait.judge(slot, result)) {
        worker.push(slot);
        return;
      }
    }
    if (result > 0) {
      moved(slot, result, here, nowNanos);
    } else {
      failed(slot, result, here);
    }
  }

  private void moved(Slot slot, long bytes, @Nullable CompletionSink here, long nowNanos) {
    long service = nowNanos - slot.handedNanos();
    if (bytes >= slot.handedBytes() && service < leastServiceNanos) {
      leastServiceNanos = service;
    }
    long handedNanos = slot.handedNanos();
    BlockRequest done = null;
    BlockRequest last = null;
    long left = bytes;
    while (!slot.isEmpty() && left > 0) {
      BlockRequest head = slot.head();
      long step = Math.min(left, head.remainingBytes());
      head.advance(step);
      left -= step;
      if (head.remainingBytes() > 0) {
        break;
      }
      BlockRequest whole = slot.pop();
      if (last == null) {
        done = whole;
      } else {
        last.setNext(whole);
      }
      last = whole;
    }
    if (slot.isEmpty()) {
      pool.give(slot);
    } else {
      slot.split();
      worker.push(slot);
    }
    endAll(done, here, handedNanos, service);
  }

  private void endAll(
      @Nullable BlockRequest chain, @Nullable CompletionSink here, long handedNanos, long service) {
    BlockRequest each = chain;
    while (each != null) {
      BlockRequest following = each.next();
      telemetry.queueWaitNanos(handedNanos - each.startNanos());
      telemetry.serviceNanos(service);
      ends.end(each, each.lengthBytes(), here);
      each = following;
    }
  }

  private void failed(Slot slot, long result, @Nullable CompletionSink here) {
    if (slot.isMerged()) {
      slot.split();
      worker.push(slot);
      return;
    }
    BlockRequest request = slot.pop();
    if (slot.isEmpty()) {
      pool.give(slot);
    } else {
      worker.push(slot);
    }
    if (!isOdd(result) || !commands.handOver(request, slowLane)) {
      ends.end(request, result, here);
    }
  }

  /** Ends all commands of a slot that will not go to the kernel any more. */
  void abandon(Slot slot) {
    slot.takeBack();
    while (!slot.isEmpty()) {
      ends.end(slot.pop(), -Errno.CLOSED, null);
    }
    pool.give(slot);
  }

  private static boolean isOdd(long result) {
    return result == 0
        || result == -Errno.EINTR
        || result == -Errno.EAGAIN
        || result == -Errno.EOPNOTSUPP;
  }
}

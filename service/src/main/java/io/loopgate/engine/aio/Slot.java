package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A place of the kernel's context and what it is used for: one command, or several adjacent ones
 * that became one.
 *
 * <p>Always has one owner: the loop that fills it, the kernel, who reaps it, or the worker. Each
 * hand-over publishes it.
 */
final class Slot {
  private static final VarHandle IN_KERNEL;

  static {
    try {
      IN_KERNEL = MethodHandles.lookup().findVarHandle(Slot.class, "inKernel", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int index;

  /** The first of the requests, which are linked in the order of their offsets. */
  private @Nullable BlockRequest head;

  private int parts;
  private boolean split;
  private boolean triesNowait;
  private long handedBytes;
  private long handedNanos;
  private boolean inKernel;
  private @Nullable Slot next;

  Slot(int index) {
    this.index = index;
  }

  int index() {
    return index;
  }

  /** Takes a chain of requests. */
  void take(BlockRequest chain, int count) {
    head = chain;
    parts = count;
    split = false;
    triesNowait = false;
  }

  /** Returns the first request that has not ended. */
  BlockRequest head() {
    BlockRequest first = head;
    if (first == null) {
      throw new IllegalStateException("empty slot " + index);
    }
    return first;
  }

  boolean isEmpty() {
    return head == null;
  }

  BlockOp op() {
    return head().op();
  }

  /** Removes the first request. */
  BlockRequest pop() {
    BlockRequest first = head();
    head = first.next();
    parts--;
    first.setNext(null);
    return first;
  }

  /** Returns how many requests are in it. */
  int parts() {
    return parts;
  }

  /** From now on its requests go to the kernel one after the other. */
  void split() {
    split = true;
  }

  /** Tells whether all its requests are with the kernel, or only the first. */
  boolean isMerged() {
    return parts > 1 && !split;
  }

  boolean triesNowait() {
    return triesNowait;
  }

  void setTriesNowait(boolean tries) {
    triesNowait = tries;
  }

  /** Returns how many bytes the kernel was asked to move. */
  long handedBytes() {
    return handedBytes;
  }

  /** Returns when the kernel was asked. */
  long handedNanos() {
    return handedNanos;
  }

  /** Publishes it: whoever sees its result sees all that was written to it. */
  void hand(long bytes, long nowNanos) {
    handedBytes = bytes;
    handedNanos = nowNanos;
    IN_KERNEL.setRelease(this, true);
  }

  /** Takes it back with its result; false if it was not there, which would be a stray event. */
  boolean takeBack() {
    if (!(boolean) IN_KERNEL.getAcquire(this)) {
      return false;
    }
    inKernel = false;
    return true;
  }

  /** Tells whether the kernel has it; a glance from any thread. */
  boolean isInKernel() {
    return (boolean) IN_KERNEL.getAcquire(this);
  }

  @Nullable Slot next() {
    return next;
  }

  void setNext(@Nullable Slot following) {
    next = following;
  }
}

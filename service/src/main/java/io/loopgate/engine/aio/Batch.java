package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;

/** Slots that go to the kernel by one call. Belongs to one thread at a time. */
final class Batch {
  private final int[] slots;
  private int count;
  private boolean triesReads;
  private boolean triesWrites;

  Batch(int capacity) {
    slots = new int[capacity];
  }

  /** Adds a slot that has been filled. */
  void add(Slot slot) {
    slots[count] = slot.index();
    count++;
    if (slot.triesNowait()) {
      triesReads |= slot.op() == BlockOp.READ;
      triesWrites |= slot.op() == BlockOp.WRITE;
    }
  }

  int[] slots() {
    return slots;
  }

  int count() {
    return count;
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return count == slots.length;
  }

  /** Tells whether any of this kind is tried without waiting. */
  boolean tries(BlockOp op) {
    return op == BlockOp.READ ? triesReads : triesWrites;
  }

  void clear() {
    count = 0;
    triesReads = false;
    triesWrites = false;
  }
}

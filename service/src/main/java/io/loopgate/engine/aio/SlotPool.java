package io.loopgate.engine.aio;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a context and which of them are free: a stack of numbers that any thread takes from
 * and gives back to without a lock.
 *
 * <p>The top word holds the number on top, how many are free, and a turn that changes with each
 * operation, so that a compare-and-set notices a stack that only looks the same.
 */
final class SlotPool {
  private static final int NUMBER_BITS = 16;
  private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;
  private static final int TURN_SHIFT = 2 * NUMBER_BITS;

  private final Slot[] slots;

  /** For each free number the one below it, each one more than it is: 0 is the end. */
  private final int[] below;

  private final AtomicLong top = new AtomicLong();

  SlotPool(int count) {
    slots = new Slot[count];
    below = new int[count];
    for (int i = 0; i < count; i++) {
      slots[i] = new Slot(i);
      below[i] = i;
    }
    top.set(word(0, count, count));
  }

  private static long word(long turn, int free, int number) {
    return turn << TURN_SHIFT | (long) free << NUMBER_BITS | number;
  }

  private static long turn(long word) {
    return word >>> TURN_SHIFT;
  }

  private static int freeOf(long word) {
    return (int) (word >>> NUMBER_BITS & NUMBER_MASK);
  }

  private static int number(long word) {
    return (int) (word & NUMBER_MASK);
  }

  Slot get(int index) {
    return slots[index];
  }

  int size() {
    return slots.length;
  }

  /** Returns how many are in use. */
  int used() {
    return slots.length - freeOf(top.get());
  }

  /** Returns when the oldest of those the kernel has was handed over, about. */
  OptionalLong oldestHandedNanos() {
    long nowNanos = System.nanoTime();
    long ageNanos = -1;
    for (Slot slot : slots) {
      if (slot.isInKernel()) {
        ageNanos = Math.max(ageNanos, nowNanos - slot.handedNanos());
      }
    }
    return ageNanos < 0 ? OptionalLong.empty() : OptionalLong.of(nowNanos - ageNanos);
  }

  /** Takes a free one; null if there is none. */
  @Nullable Slot take() {
    while (true) {
      long before = top.get();
      int number = number(before);
      if (number == 0) {
        return null;
      }
      long after = word(turn(before) + 1, freeOf(before) - 1, below[number - 1]);
      if (top.compareAndSet(before, after)) {
        return slots[number - 1];
      }
    }
  }

  /** Gives one back. */
  void give(Slot slot) {
    int number = slot.index() + 1;
    while (true) {
      long before = top.get();
      below[number - 1] = number(before);
      long after = word(turn(before) + 1, freeOf(before) + 1, number);
      if (top.compareAndSet(before, after)) {
        return;
      }
    }
  }
}

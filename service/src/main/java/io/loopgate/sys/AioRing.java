package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The ring into which the kernel puts events of a context, as user space sees it: {@code struct
 * aio_ring} lies at the address that is the context's name (fs/aio.c).
 *
 * <p>Taking events here instead of by {@code io_getevents} saves the call; fio (userspace_reap) and
 * Seastar do the same. The kernel allows for it since d856f32a86b2 (2014): it counts free places by
 * the head that user space moves.
 */
final class AioRing {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final VarHandle INT = JAVA_INT.varHandle();

  private static final long NR_OFFSET = 4;
  private static final long HEAD_OFFSET = 8;
  private static final long TAIL_OFFSET = 12;
  private static final long MAGIC_OFFSET = 16;
  private static final long INCOMPATIBLE_OFFSET = 24;
  private static final long HEADER_LENGTH_OFFSET = 28;
  private static final int MAGIC = 0xa10a10a1;
  private static final int HEADER_BYTES = 32;

  private static final long EVENT_BYTES = 32;
  private static final long EVENT_DATA_OFFSET = 0;
  private static final long EVENT_RESULT_OFFSET = 16;

  private final long address;
  private final int size;

  AioRing(long address) {
    this.address = address;
    this.size = ALL.get(JAVA_INT, address + NR_OFFSET);
  }

  /** Tells whether a context has a ring of the form that is known here. */
  static boolean isKnown(long address) {
    return ALL.get(JAVA_INT, address + MAGIC_OFFSET) == MAGIC
        && ALL.get(JAVA_INT, address + INCOMPATIBLE_OFFSET) == 0
        && ALL.get(JAVA_INT, address + HEADER_LENGTH_OFFSET) == HEADER_BYTES;
  }

  /** Takes events; returns how many. One thread at a time. */
  int take(int[] slots, long[] results) {
    int head = (int) INT.get(ALL, address + HEAD_OFFSET);
    // Acquired: events up to the tail were written before it was moved.
    int tail = (int) INT.getAcquire(ALL, address + TAIL_OFFSET);
    int taken = 0;
    while (head != tail && taken < slots.length) {
      read(address + HEADER_BYTES + head * EVENT_BYTES, slots, results, taken);
      taken++;
      head = head + 1 == size ? 0 : head + 1;
    }
    if (taken > 0) {
      // Released: the kernel may write over what lies before the head.
      INT.setRelease(ALL, address + HEAD_OFFSET, head);
    }
    return taken;
  }

  /** Copies the events that a call put at an address. */
  static void copy(long events, int count, int[] slots, long[] results) {
    for (int i = 0; i < count; i++) {
      read(events + i * EVENT_BYTES, slots, results, i);
    }
  }

  /** Returns how much memory a number of events needs. */
  static long bytes(int events) {
    return events * EVENT_BYTES;
  }

  private static void read(long event, int[] slots, long[] results, int index) {
    slots[index] = (int) ALL.get(JAVA_LONG, event + EVENT_DATA_OFFSET);
    results[index] = ALL.get(JAVA_LONG, event + EVENT_RESULT_OFFSET);
  }
}

package io.loopgate.engine.aio;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Ends;
import org.jspecify.annotations.Nullable;

/**
 * Commands that wait to go to the kernel together, in order; adjacent ones become one.
 *
 * <p>After the block layer's plug list: a command is added behind one of the latest groups if it
 * does the same and begins where that ends. Belongs to one thread at a time; allocates nothing.
 */
final class Groups {
  /** As large as requests of the loop driver get, 1.25 MiB. */
  static final long GROUP_BYTES_MAX = 1_310_720;

  /** Parts in memory that one group may have. */
  static final int PARTS_MAX = 64;

  /** How many groups back a neighbour is looked for: as many streams may come interleaved. */
  private static final int LOOK_BACK = 8;

  private final boolean merge;
  private final @Nullable BlockRequest[] heads;
  private final @Nullable BlockRequest[] tails;
  private final long[] endOffsets;
  private final long[] groupBytes;
  private final int[] parts;
  private final int capacity;
  private final int mask;
  private int first;
  private int count;

  /** Makes room for {@code capacity} groups. */
  Groups(int capacity, boolean merge) {
    int size = Integer.highestOneBit(Math.max(1, capacity - 1)) << 1;
    this.merge = merge;
    this.capacity = capacity;
    this.heads = new @Nullable BlockRequest[size];
    this.tails = new @Nullable BlockRequest[size];
    this.endOffsets = new long[size];
    this.groupBytes = new long[size];
    this.parts = new int[size];
    this.mask = size - 1;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  boolean isFull() {
    return count == capacity;
  }

  /** Adds a command; there has to be room. */
  void add(BlockRequest request) {
    request.setNext(null);
    if (merge && joins(request)) {
      return;
    }
    int at = first + count & mask;
    count++;
    heads[at] = request;
    tails[at] = request;
    endOffsets[at] = end(request);
    groupBytes[at] = request.remainingBytes();
    parts[at] = 1;
  }

  private boolean joins(BlockRequest request) {
    long offset = request.remainingOffsetBytes();
    for (int back = 1; back <= Math.min(LOOK_BACK, count); back++) {
      int at = first + count - back & mask;
      BlockRequest tail = tails[at];
      if (endOffsets[at] == offset && tail != null && fits(at, tail, request)) {
        tail.setNext(request);
        tails[at] = request;
        endOffsets[at] = end(request);
        groupBytes[at] += request.remainingBytes();
        parts[at]++;
        return true;
      }
    }
    return false;
  }

  private boolean fits(int at, BlockRequest tail, BlockRequest request) {
    return tail.op() == request.op()
        && tail.isFua() == request.isFua()
        && parts[at] < PARTS_MAX
        && groupBytes[at] + request.remainingBytes() <= GROUP_BYTES_MAX;
  }

  private static long end(BlockRequest request) {
    return request.remainingOffsetBytes() + request.remainingBytes();
  }

  /**
   * Moves the oldest group into a slot. What has expired is ended; if that tears a group, its rest
   * stays.
   *
   * @return whether the slot has anything now; false if all had expired
   */
  boolean pollInto(Slot slot, long nowNanos, Ends ends) {
    BlockRequest chain = dropExpired(heads[first], nowNanos, ends);
    if (chain == null) {
      remove();
      return false;
    }
    int taken = 1;
    BlockRequest last = chain;
    BlockRequest following = last.next();
    while (following != null && !following.isExpired(nowNanos)) {
      last = following;
      following = last.next();
      taken++;
    }
    last.setNext(null);
    heads[first] = following;
    if (following == null) {
      remove();
    }
    slot.take(chain, taken);
    return true;
  }

  private static @Nullable BlockRequest dropExpired(
      @Nullable BlockRequest chain, long nowNanos, Ends ends) {
    BlockRequest rest = chain;
    while (rest != null && rest.isExpired(nowNanos)) {
      BlockRequest following = rest.next();
      rest.setNext(null);
      ends.end(rest, -Errno.DEADLINE, null);
      rest = following;
    }
    return rest;
  }

  /** Removes the oldest group and returns its commands, linked; null if there is none. */
  @Nullable BlockRequest poll() {
    if (count == 0) {
      return null;
    }
    BlockRequest chain = heads[first];
    remove();
    return chain;
  }

  private void remove() {
    heads[first] = null;
    tails[first] = null;
    first = first + 1 & mask;
    count--;
  }
}

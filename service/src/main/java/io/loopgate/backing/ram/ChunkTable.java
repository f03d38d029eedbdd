package io.loopgate.backing.ram;

import io.loopgate.block.Errno;
import io.loopgate.sys.NativeMemory;
import io.loopgate.sys.SystemCalls;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The memory of a RAM disk: chunks that are mapped at their first write, and keep their address
 * until the table is closed.
 *
 * <p>That is what makes it safe without locks: a chunk that is given back loses its pages, not its
 * address, so whoever copies from it meanwhile finds old bytes or zeroes and never somebody else's
 * memory.
 *
 * <p>An entry is the address of a chunk, and a bit that says whether it holds data. A writer sets
 * the bit <em>behind</em> its copy, dropping clears it <em>before</em> the pages go. So once both
 * have ended, a chunk without the bit is zeroes: had the writer come later, its bit would stand.
 *
 * <p>Any thread, but for {@link #grow} and {@link #close}, which belong to one at a time; growing
 * may happen while others read and write.
 */
final class ChunkTable {
  static final int CHUNK_BYTES = 1 << 20;

  private static final int ENTRIES_PER_LEAF = 1024;
  private static final long DATA = 1;

  private final SystemCalls calls;

  /** Leaves are shared by all versions of the array, so that a growing one loses no entry. */
  private volatile AtomicLongArray[] leaves = {};

  ChunkTable(SystemCalls calls) {
    this.calls = calls;
  }

  /** Returns how many chunks hold so many bytes. */
  static long chunksFor(long bytes) {
    return Math.ceilDiv(bytes, (long) CHUNK_BYTES);
  }

  /** Makes room for at least so many chunks. */
  void grow(long chunks) {
    AtomicLongArray[] before = leaves;
    int count = Math.toIntExact(Math.ceilDiv(chunks, (long) ENTRIES_PER_LEAF));
    if (count <= before.length) {
      return;
    }
    AtomicLongArray[] grown = Arrays.copyOf(before, count);
    for (int i = before.length; i < count; i++) {
      grown[i] = new AtomicLongArray(ENTRIES_PER_LEAF);
    }
    leaves = grown;
  }

  private AtomicLongArray leaf(long chunk) {
    return leaves[(int) (chunk / ENTRIES_PER_LEAF)];
  }

  private static int entry(long chunk) {
    return (int) (chunk % ENTRIES_PER_LEAF);
  }

  /** Tells whether anything is stored in a chunk; if not, it reads as zeroes. */
  boolean holdsData(long chunk) {
    return (leaf(chunk).get(entry(chunk)) & DATA) != 0;
  }

  /** Returns where a chunk with data is, or 0 if it reads as zeroes. */
  long addressOfData(long chunk) {
    long value = leaf(chunk).get(entry(chunk));
    return (value & DATA) == 0 ? 0 : value - DATA;
  }

  /**
   * Returns where to write into a chunk, or a negative error number if there is no memory. Whoever
   * has written says so with {@link #written}.
   */
  long addressForWriting(long chunk) {
    AtomicLongArray leaf = leaf(chunk);
    int entry = entry(chunk);
    long value = leaf.get(entry) & ~DATA;
    if (value != 0) {
      return value;
    }
    long mapped = calls.mapMemory(CHUNK_BYTES);
    if (mapped < 0) {
      // The store is full, as far as its user is concerned.
      return -Errno.ENOSPC;
    }
    if (leaf.compareAndSet(entry, 0, mapped)) {
      return mapped;
    }
    calls.unmapMemory(mapped, CHUNK_BYTES);
    return leaf.get(entry) & ~DATA;
  }

  /** Notes that bytes were copied into a chunk. */
  void written(long chunk) {
    // The copy has to be visible before the bit is looked at: else a drop that clears it right now
    // could miss the copy, and this look the drop.
    VarHandle.fullFence();
    AtomicLongArray leaf = leaf(chunk);
    int entry = entry(chunk);
    long value = leaf.get(entry);
    while ((value & DATA) == 0 && !leaf.compareAndSet(entry, value, value | DATA)) {
      value = leaf.get(entry);
    }
  }

  /** Lets a whole chunk read as zeroes and gives its pages back. */
  void drop(long chunk) {
    AtomicLongArray leaf = leaf(chunk);
    int entry = entry(chunk);
    long value = leaf.get(entry);
    while ((value & DATA) != 0 && !leaf.compareAndSet(entry, value, value - DATA)) {
      value = leaf.get(entry);
    }
    if ((value & DATA) != 0 && calls.dropMemory(value - DATA, CHUNK_BYTES) < 0) {
      NativeMemory.zero(value - DATA, CHUNK_BYTES);
    }
  }

  /** Gives everything back; nobody may use the table any more. */
  void close() {
    AtomicLongArray[] last = leaves;
    leaves = new AtomicLongArray[0];
    for (AtomicLongArray leaf : last) {
      for (int i = 0; i < ENTRIES_PER_LEAF; i++) {
        long address = leaf.get(i) & ~DATA;
        if (address != 0) {
          calls.unmapMemory(address, CHUNK_BYTES);
        }
      }
    }
  }
}

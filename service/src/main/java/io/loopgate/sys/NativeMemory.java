package io.loopgate.sys;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory outside the heap, by address.
 *
 * <p>Addresses are plain numbers, as the kernel takes them; who passes one vouches for it: a wrong
 * one crashes the process. Thread-safe as far as the memory is not shared.
 */
public final class NativeMemory {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  /** Copies bytes from one address to another; the ranges do not overlap. */
  public static void copy(long fromAddress, long toAddress, long lengthBytes) {
    MemorySegment.copy(ALL, fromAddress, ALL, toAddress, lengthBytes);
  }

  /** Sets bytes to zero. */
  public static void zero(long address, long lengthBytes) {
    ALL.asSlice(address, lengthBytes).fill((byte) 0);
  }

  /** Returns a view; valid as long as the memory is. */
  public static ByteBuffer view(long address, int lengthBytes) {
    return ALL.asSlice(address, lengthBytes).asByteBuffer();
  }

  /**
   * Allocates zeroed memory that starts at a multiple of {@code alignmentBytes}; the caller closes
   * it.
   */
  @SuppressWarnings(
      "MustBeClosedChecker") // The block owns the arena, and its owner closes the block.
  public static Block allocate(long lengthBytes, long alignmentBytes) {
    Arena arena = Arena.ofShared();
    return new Block(arena, arena.allocate(lengthBytes, alignmentBytes).address(), lengthBytes);
  }

  /**
   * A piece of memory with an owner, who closes it.
   *
   * @param arena what holds it
   * @param address where it is
   * @param lengthBytes how long it is
   */
  public record Block(Arena arena, long address, long lengthBytes) implements AutoCloseable {
    @Override
    public void close() {
      arena.close();
    }
  }
}

package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Where the bytes of a file are stored, as its file system tells ({@code FS_IOC_FIEMAP}; not all
 * file systems know it). Stateless; blocks.
 */
public final class FileExtents {
  private static final int HEADER_BYTES = 32;
  private static final int EXTENT_BYTES = 56;

  /** How many extents one call asks for. */
  private static final int EXTENTS_MAX = 256;

  private FileExtents() {}

  /** Takes extents in the order of their offsets; what lies between two of them is a hole. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * There is an extent.
     *
     * @param flags a sum of {@code FIEMAP_EXTENT_*}
     * @return whether to go on
     */
    boolean extent(long startBytes, long lengthBytes, int flags);
  }

  /**
   * Visits the extents from an offset up to another. The first may begin before, the last end
   * behind.
   *
   * @param sync whether what is dirty is written out first
   * @return 0, or a negative error number
   */
  public static long walk(
      SystemCalls calls, int fd, long fromBytes, long toBytes, boolean sync, Visitor visitor) {
    try (AlignedMemory memory =
        AlignedMemory.allocate(Long.BYTES, HEADER_BYTES + EXTENTS_MAX * EXTENT_BYTES)) {
      MemorySegment map = memory.segment();
      int flags = sync ? LinuxConstants.FIEMAP_FLAG_SYNC : 0;
      long next = fromBytes;
      while (next < toBytes) {
        ask(map, next, toBytes - next, flags);
        long result = calls.ioctlAt(fd, LinuxConstants.FS_IOC_FIEMAP, memory.address());
        if (result < 0) {
          return result;
        }
        next = visit(map, next, visitor);
        flags = 0;
      }
      return 0;
    }
  }

  private static void ask(MemorySegment map, long startBytes, long lengthBytes, int flags) {
    map.set(JAVA_LONG, 0, startBytes);
    map.set(JAVA_LONG, 8, lengthBytes);
    map.set(JAVA_INT, 16, flags);
    map.set(JAVA_INT, 20, 0);
    map.set(JAVA_INT, 24, EXTENTS_MAX);
    map.set(JAVA_INT, 28, 0);
  }

  /** Returns where to go on; the largest number if there is nothing more. */
  private static long visit(MemorySegment map, long fromBytes, Visitor visitor) {
    int count = map.get(JAVA_INT, 20);
    long next = fromBytes;
    for (int i = 0; i < count; i++) {
      long at = HEADER_BYTES + (long) i * EXTENT_BYTES;
      long startBytes = map.get(JAVA_LONG, at);
      long lengthBytes = map.get(JAVA_LONG, at + 16);
      int flags = map.get(JAVA_INT, at + 40);
      if (!visitor.extent(startBytes, lengthBytes, flags)
          || (flags & LinuxConstants.FIEMAP_EXTENT_LAST) != 0) {
        return Long.MAX_VALUE;
      }
      next = startBytes + lengthBytes;
    }
    return next > fromBytes ? next : Long.MAX_VALUE;
  }
}

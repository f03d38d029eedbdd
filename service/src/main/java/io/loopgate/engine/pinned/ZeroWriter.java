package io.loopgate.engine.pinned;

import io.loopgate.backing.Backing;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.fd.ZeroMemory;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.NativeMemory;

/**
 * Makes ranges of a direct file read as zeroes by overwriting them, step by step, and always past
 * the page cache: a dirty page would make the next direct transfer wait for it. Any number of
 * threads, on ranges that do not overlap in whole blocks; blocks.
 */
final class ZeroWriter {
  private static final CompletionSink NOBODY =
      new CompletionSink() {
        @Override
        public void offer(BlockRequest request) {
          throw new IllegalStateException("no engine should have had " + request);
        }

        @Override
        public int loopIndex() {
          return 0;
        }
      };

  private final Backing backing;

  ZeroWriter(Backing backing) {
    this.backing = backing;
  }

  /**
   * Zeroes the beginning of a range.
   *
   * @param flags flags of the writes
   * @return how many bytes, at least 1, read as zeroes now; or a negative error number
   */
  long step(long offsetBytes, long lengthBytes, int flags) {
    Geometry geometry = backing.geometry();
    int unitBytes = geometry.alignmentBytes();
    long beyondBytes = offsetBytes % unitBytes;
    if (beyondBytes == 0 && lengthBytes >= unitBytes) {
      long stepBytes = Math.min(lengthBytes, ZeroMemory.BYTES);
      return moved(
          command(
              BlockOp.WRITE,
              offsetBytes,
              stepBytes - stepBytes % unitBytes,
              ZeroMemory.address(),
              flags));
    }
    int edgeBytes = (int) Math.min(lengthBytes, unitBytes - beyondBytes);
    return edge(offsetBytes - beyondBytes, (int) beyondBytes, edgeBytes, flags, geometry);
  }

  /** Zeroes a part of one block: reads it, and writes it back. */
  private long edge(long blockBytes, int skipBytes, int lengthBytes, int flags, Geometry geometry) {
    int unitBytes = geometry.alignmentBytes();
    try (AlignedMemory memory =
        AlignedMemory.allocate(Math.max(geometry.memoryAlignmentBytes(), Long.BYTES), unitBytes)) {
      long read = command(BlockOp.READ, blockBytes, unitBytes, memory.address(), 0);
      if (read != unitBytes) {
        return read < 0 ? read : -Errno.EIO;
      }
      NativeMemory.zero(memory.address() + skipBytes, lengthBytes);
      long written = command(BlockOp.WRITE, blockBytes, unitBytes, memory.address(), flags);
      return written == unitBytes ? lengthBytes : written < 0 ? written : -Errno.EIO;
    }
  }

  private long command(BlockOp op, long offsetBytes, long lengthBytes, long address, int flags) {
    return backing.execute(
        new BlockRequest(NOBODY)
            .prepare(
                op,
                offsetBytes,
                lengthBytes,
                address,
                flags,
                BlockRequest.NO_DEADLINE,
                (ended, result) -> {}));
  }

  private static long moved(long result) {
    return result == 0 ? -Errno.EIO : result;
  }
}

package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandRunner;
import io.loopgate.sys.NativeMemory;
import io.loopgate.volume.ChecksumAlgorithm.Digest;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/**
 * Computes the checksum of a range, on a control thread and past the engine: work in the background
 * that no client's read should queue behind.
 *
 * <p>Without a block size it is the digest of the bytes; with one, the digest of the joined digests
 * of the blocks, where a block inside a hole costs nothing.
 */
public final class RangeChecksum {
  private static final int STEP_BYTES = 1 << 20;
  private static final ByteBuffer ZEROES = ByteBuffer.allocateDirect(STEP_BYTES).asReadOnlyBuffer();

  private final Backing backing;
  private final Geometry geometry;
  private final ChecksumAlgorithm algorithm;
  private final BooleanSupplier cancelled;
  private final BlockRequest request = new BlockRequest(new NobodysLoop());
  private Extent extent = new Extent(0, 1, false);

  /** Prepares a computation; it ends early, with a wrong result, once {@code cancelled} says so. */
  public RangeChecksum(Volume volume, ChecksumAlgorithm algorithm, BooleanSupplier cancelled) {
    this.backing = volume.backing();
    this.geometry = volume.geometry();
    this.algorithm = algorithm;
    this.cancelled = cancelled;
  }

  /**
   * Returns the checksum.
   *
   * @param blockSizeBytes the size of the blocks, or 0 for the digest of the bytes
   * @throws ChecksumReadException if a read fails
   */
  public byte[] compute(long startBytes, long lengthBytes, long blockSizeBytes) {
    try (NativeMemory.Block memory =
        NativeMemory.allocate(
            STEP_BYTES + 2L * geometry.alignmentBytes(), geometry.memoryAlignmentBytes())) {
      Digest digest = algorithm.start();
      extent = new Extent(startBytes, 1, false);
      if (blockSizeBytes == 0) {
        add(digest, startBytes, lengthBytes, memory);
      } else {
        addBlocks(digest, startBytes, lengthBytes, blockSizeBytes, memory);
      }
      return digest.finish();
    }
  }

  private void addBlocks(
      Digest joined, long start, long length, long blockSize, NativeMemory.Block memory) {
    Digest block = algorithm.start();
    long wholeBlock = Math.min(blockSize, length);
    byte[] zeroBlock = {};
    long end = start + length;
    for (long position = start; position < end && !cancelled.getAsBoolean(); ) {
      long size = Math.min(blockSize, end - position);
      if (size == wholeBlock && isHole(position, size)) {
        if (zeroBlock.length == 0) {
          addZeroes(block, wholeBlock);
          zeroBlock = block.finish();
        }
        joined.update(zeroBlock);
      } else {
        add(block, position, size, memory);
        joined.update(block.finish());
      }
      position += size;
    }
  }

  private void add(Digest digest, long start, long length, NativeMemory.Block memory) {
    long end = start + length;
    for (long position = start; position < end && !cancelled.getAsBoolean(); ) {
      int size = (int) Math.min(STEP_BYTES, end - position);
      if (isHole(position, size)) {
        addZeroes(digest, size);
      } else {
        digest.update(read(position, size, memory));
      }
      position += size;
    }
  }

  private void addZeroes(Digest digest, long length) {
    for (long left = length; left > 0 && !cancelled.getAsBoolean(); left -= STEP_BYTES) {
      digest.update(ZEROES.duplicate().limit((int) Math.min(left, STEP_BYTES)));
    }
  }

  private boolean isHole(long start, long length) {
    if (start < extent.startBytes() || start >= extent.endBytes()) {
      extent = backing.extentAt(start);
    }
    return extent.hole() && start + length <= extent.endBytes();
  }

  private ByteBuffer read(long start, int length, NativeMemory.Block memory) {
    IoWindow window = IoWindow.around(start, length, geometry);
    request.prepare(
        BlockOp.READ,
        window.startBytes(),
        window.lengthBytes(),
        memory.address(),
        0,
        BlockRequest.NO_DEADLINE,
        (ended, result) -> {});
    long result = CommandRunner.run(backing, request);
    request.completeHere(result);
    if (result < 0) {
      throw new ChecksumReadException(start + request.doneBytes(), (int) -result);
    }
    return NativeMemory.view(memory.address() + window.skipBytes(), length);
  }

  /** A byte of the range could not be read. */
  public static final class ChecksumReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final long offsetBytes;
    private final int errno;

    ChecksumReadException(long offsetBytes, int errno) {
      super(Errno.name(errno) + " at offset " + offsetBytes);
      this.offsetBytes = offsetBytes;
      this.errno = errno;
    }

    /** Returns where. */
    public long offsetBytes() {
      return offsetBytes;
    }

    /** Returns what. */
    public int errno() {
      return errno;
    }
  }
}

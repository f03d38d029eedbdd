package io.loopgate.backing.fd;

import static io.loopgate.sys.LinuxConstants.FALLOC_FL_KEEP_SIZE;
import static io.loopgate.sys.LinuxConstants.FALLOC_FL_PUNCH_HOLE;
import static io.loopgate.sys.LinuxConstants.FALLOC_FL_ZERO_RANGE;
import static io.loopgate.sys.LinuxConstants.POSIX_FADV_DONTNEED;
import static io.loopgate.sys.LinuxConstants.SEEK_DATA;

import io.loopgate.block.Errno;
import io.loopgate.sys.SystemCalls;

/**
 * Makes ranges read as zeroes, in single steps of bounded size. Any number of threads.
 *
 * <p>loop.c: discard is {@code PUNCH_HOLE}, write-zeroes is {@code PUNCH_HOLE} or, when the space
 * has to stay, {@code ZERO_RANGE}; a way that the file system does not know is turned off for good.
 * Unlike the kernel's driver, which then fails the command, zeroes are written. On a block device
 * the same calls zero by the device where it can ({@code blkdev_fallocate}), and a hole is only
 * punched where it is sure to read as zeroes.
 *
 * <p>A range that already is a hole is skipped, so that discarding a sparse image takes a step per
 * extent. Space that was allocated ahead and never written counts as a hole: it reads as zeroes,
 * and stays reserved.
 */
public final class RangeEraser {
  private static final int PUNCH = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  private static final int ZERO = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE;

  private final SystemCalls calls;
  private final OpenFile file;
  private final int granularityBytes;
  private final int transferAlignmentBytes;
  private final long stepBytesMax;
  private volatile boolean seekData;
  private volatile boolean punchHole;
  private volatile boolean zeroRange;

  /**
   * Creates one.
   *
   * @param granularityBytes what the calls need offsets and lengths to be multiples of: 1 for files
   * @param transferAlignmentBytes what writes through the descriptor have to be aligned to
   * @param stepBytesMax how much one call may be asked for
   * @param seekData whether holes can be told from data
   * @param punchHole whether holes can be punched, as far as is known
   * @param zeroRange whether ranges can be zeroed, as far as is known
   */
  public RangeEraser(
      OpenFile file,
      int granularityBytes,
      int transferAlignmentBytes,
      long stepBytesMax,
      boolean seekData,
      boolean punchHole,
      boolean zeroRange) {
    this.calls = file.calls();
    this.file = file;
    this.granularityBytes = granularityBytes;
    this.transferAlignmentBytes = transferAlignmentBytes;
    this.stepBytesMax = stepBytesMax;
    this.seekData = seekData;
    this.punchHole = punchHole;
    this.zeroRange = zeroRange;
  }

  /**
   * Zeroes the beginning of a range.
   *
   * @param unmap whether the space may be given back
   * @return how many bytes, at least 1, read as zeroes now; or a negative error number
   */
  public long erase(long offsetBytes, long lengthBytes, boolean unmap) {
    long holeBytes = unmap && seekData ? holeBytesAt(offsetBytes, lengthBytes) : 0;
    if (holeBytes < 0 || holeBytes == lengthBytes) {
      return holeBytes;
    }
    long result = change(offsetBytes + holeBytes, lengthBytes - holeBytes, unmap);
    if (result < 0) {
      // The hole is done; the error comes back with the next step.
      return holeBytes > 0 ? holeBytes : result;
    }
    return holeBytes + result;
  }

  private long holeBytesAt(long offsetBytes, long lengthBytes) {
    long dataBytes = calls.lseek(file.fd(), offsetBytes, SEEK_DATA);
    if (dataBytes >= 0) {
      return Math.min(dataBytes - offsetBytes, lengthBytes);
    }
    if (dataBytes != -Errno.ENXIO) {
      seekData = false;
      return 0;
    }
    // No data up to the end of the file: which must not have come nearer.
    long sizeBytes = file.sizeBytesNow();
    return sizeBytes >= 0 && sizeBytes < offsetBytes + lengthBytes ? -Errno.TRUNCATED : lengthBytes;
  }

  private long change(long offsetBytes, long lengthBytes, boolean unmap) {
    if (!(unmap ? punchHole : zeroRange)) {
      return writeZeroes(offsetBytes, lengthBytes);
    }
    long beyondBytes = offsetBytes % granularityBytes;
    if (beyondBytes != 0 || lengthBytes < granularityBytes) {
      return writeZeroes(offsetBytes, Math.min(lengthBytes, granularityBytes - beyondBytes));
    }
    long stepBytes = Math.min(lengthBytes, stepBytesMax);
    stepBytes -= stepBytes % granularityBytes;
    long result = calls.fallocate(file.fd(), unmap ? PUNCH : ZERO, offsetBytes, stepBytes);
    if (result == 0) {
      return stepBytes;
    }
    if (!PositionalIo.isUnsupported(result)) {
      return result;
    }
    if (unmap) {
      punchHole = false;
    } else {
      zeroRange = false;
    }
    return writeZeroes(offsetBytes, lengthBytes);
  }

  /**
   * Writes zeroes. Through a direct descriptor only whole units can be written: the edges go
   * through the page cache of the same inode. The kernel keeps both coherent: a direct read first
   * writes dirty pages of its range back, and a direct write drops them as well; a flush of either
   * descriptor covers both. The advice starts writing back at once and frees clean pages, since a
   * cached page makes direct writes with NOWAIT fail.
   */
  private long writeZeroes(long offsetBytes, long lengthBytes) {
    long beyondBytes = offsetBytes % transferAlignmentBytes;
    long stepBytes = Math.min(lengthBytes, ZeroMemory.BYTES);
    if (beyondBytes == 0 && lengthBytes >= transferAlignmentBytes) {
      stepBytes -= stepBytes % transferAlignmentBytes;
      return write(file.fd(), offsetBytes, stepBytes);
    }
    stepBytes = Math.min(stepBytes, transferAlignmentBytes - beyondBytes);
    long result = write(file.bufferedFd(), offsetBytes, stepBytes);
    calls.fadvise(file.bufferedFd(), offsetBytes, stepBytes, POSIX_FADV_DONTNEED);
    return result;
  }

  private long write(int fd, long offsetBytes, long lengthBytes) {
    long result = calls.pwrite(fd, ZeroMemory.address(), lengthBytes, offsetBytes, 0);
    return result == 0 ? -Errno.EIO : result;
  }
}

package io.loopgate.backing.blockdev;

import static io.loopgate.sys.LinuxConstants.BLKGETDISKSEQ;
import static io.loopgate.sys.LinuxConstants.BLKGETSIZE64;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.fd.PositionalIo;
import io.loopgate.backing.fd.RangeEraser;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;

/**
 * A block device, through its page cache or past it.
 *
 * <p>Zeroing and discarding are {@code fallocate} on the device ({@code blkdev_fallocate}, Linux
 * 4.9), not {@code BLKDISCARD}: what that leaves behind is up to the device, and {@code
 * BLKDISCARDZEROES} has said no for every device since Linux 4.12. Punching gives space back only
 * where the device promises zeroes, and zeroing is what {@code BLKZEROOUT} does; both also drop the
 * page cache of the range. loop.c likewise offers discard on a device only if that can zero.
 */
final class BlockDeviceBacking implements DescriptorBacking {
  /**
   * A device without a command for it is written over by the kernel: a step must not take minutes.
   */
  private static final long ERASE_STEP_BYTES_MAX = 64L << 20;

  private final OpenFile file;
  private final BackingCapabilities capabilities;
  private final PositionalIo io;
  private final RangeEraser eraser;
  private final boolean readOnly;
  private final boolean nowaitRead;
  private volatile Geometry geometry;

  BlockDeviceBacking(
      OpenFile file, Geometry geometry, int sectorBytes, BackingCapabilities capabilities) {
    this.file = file;
    this.geometry = geometry;
    this.capabilities = capabilities;
    this.readOnly = file.options().readOnly();
    // A direct read that does not wait in line still waits for the device.
    this.nowaitRead = capabilities.nowaitRead().available() && !capabilities.direct().available();
    this.io = new PositionalIo(file.calls(), file.fd(), geometry, capabilities.dsync().available());
    this.eraser =
        new RangeEraser(
            file,
            sectorBytes,
            geometry.alignmentBytes(),
            ERASE_STEP_BYTES_MAX,
            false,
            capabilities.punchHole().available(),
            capabilities.zeroRange().available());
  }

  @Override
  public int fd() {
    return file.fd();
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public BackingCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public String description() {
    return file.path().toString();
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  /** Names the disk and its attachment: a device keeps no time of its last change. */
  @Override
  public String identity() {
    long sequence = file.calls().ioctlGet(file.fd(), BLKGETDISKSEQ);
    return String.join(
        ".",
        "b" + Long.toHexString(file.status().deviceNumber()),
        Long.toHexString(geometry.sizeBytes()),
        sequence < 0 ? "0" : Long.toHexString(sequence));
  }

  @Override
  public long execute(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE -> write(request);
      case FLUSH -> readOnly ? 0 : io.flush();
      case DISCARD -> erase(request, true);
      case ZERO -> erase(request, request.mayUnmap());
    };
  }

  private long read(BlockRequest request) {
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = io.read(request);
    return result == 0 ? -Errno.TRUNCATED : result;
  }

  private long write(BlockRequest request) {
    if (readOnly) {
      return -Errno.READ_ONLY;
    }
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = io.write(request);
    // A device never runs out of space inside its size, so it has become smaller
    // (blkdev_write_iter). A thin one may,
    // but says so as a failed transfer, and is still as large.
    return result == -Errno.ENOSPC && isBeyondEnd(request) ? -Errno.TRUNCATED : result;
  }

  private boolean isBeyondEnd(BlockRequest request) {
    long actualBytes = file.calls().ioctlGet(file.fd(), BLKGETSIZE64);
    return actualBytes >= 0
        && actualBytes < request.remainingOffsetBytes() + request.remainingBytes();
  }

  private long erase(BlockRequest request, boolean unmap) {
    if (readOnly) {
      return -Errno.READ_ONLY;
    }
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = eraser.erase(request.remainingOffsetBytes(), request.remainingBytes(), unmap);
    if (result > 0 && request.isFua()) {
      long flushed = io.flush();
      return flushed < 0 ? flushed : result;
    }
    return result;
  }

  @Override
  public long tryNow(BlockRequest request) {
    return switch (request.op()) {
      case READ -> tryRead(request);
      // The kernel refuses buffered ones, and direct ones wait.
      case WRITE, FLUSH, DISCARD, ZERO -> -Errno.EOPNOTSUPP;
    };
  }

  private long tryRead(BlockRequest request) {
    if (!nowaitRead) {
      return -Errno.EOPNOTSUPP;
    }
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = io.tryRead(request);
    return result == 0 ? -Errno.EAGAIN : result;
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    return new Extent(offsetBytes, geometry.sizeBytes() - offsetBytes, false);
  }

  @Override
  public long allocatedBytes() {
    return geometry.sizeBytes();
  }

  /** Takes over the size that the device has been given by other means. */
  @Override
  public synchronized void resize(long newSizeBytes) {
    long actualBytes = BlockDevices.sizeBytes(file);
    int blockSizeBytes = file.options().blockSizeBytes();
    if (newSizeBytes != actualBytes || newSizeBytes % blockSizeBytes != 0) {
      throw new BackingException(
          "cannot resize "
              + file.path()
              + " to "
              + newSizeBytes
              + " bytes: the device has "
              + actualBytes
              + ", change it with its own tools to a multiple of "
              + blockSizeBytes
              + " and ask for that size",
          Errno.EINVAL);
    }
    geometry = geometry.withSizeBytes(newSizeBytes);
  }

  @Override
  public void close() {
    file.close();
  }
}

package io.loopgate.backing.file;

import static io.loopgate.sys.LinuxConstants.SEEK_DATA;
import static io.loopgate.sys.LinuxConstants.SEEK_HOLE;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.fd.PositionalIo;
import io.loopgate.backing.fd.RangeEraser;
import io.loopgate.backing.fd.Refusals;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.SystemCalls;

/**
 * A regular file, through the page cache or past it; the counterpart of {@code lo_rw_aio} and
 * {@code lo_fallocate} of loop.c.
 *
 * <p>A file that was shrunk beneath must neither answer zeroes nor grow again silently. Asking for
 * the size before every write would cost each one a call for a mistake that hardly ever happens, so
 * the size is looked at where it is cheap: when a read ends early, with each flush, and when
 * extents are asked for. From then on, for as long as it is open, each change is checked against
 * the true end. A write beyond a new end that nothing noticed before still grows the file, and the
 * hole left behind reads as zeroes: the next flush sees it only if the size stays too small.
 */
final class FileBacking implements DescriptorBacking {
  /** Keeps one step of a discard short enough to be interrupted by a deadline. */
  private static final long ERASE_STEP_BYTES_MAX = 1L << 30;

  private final OpenFile file;
  private final SystemCalls calls;
  private final BackingCapabilities capabilities;
  private final PositionalIo io;
  private final RangeEraser eraser;
  private final boolean readOnly;
  private final boolean nowaitRead;
  private final boolean nowaitWrite;
  private volatile Geometry geometry;
  private volatile boolean truncated;

  FileBacking(OpenFile file, Geometry geometry, BackingCapabilities capabilities) {
    this.file = file;
    this.calls = file.calls();
    this.geometry = geometry;
    this.capabilities = capabilities;
    this.readOnly = file.options().readOnly();
    // A direct transfer that does not wait in line still waits for the device.
    boolean buffered = !capabilities.direct().available();
    this.nowaitRead = buffered && capabilities.nowaitRead().available();
    this.nowaitWrite = buffered && capabilities.nowaitWrite().available();
    this.io = new PositionalIo(calls, file.fd(), geometry, capabilities.dsync().available());
    this.eraser =
        new RangeEraser(
            file,
            1,
            geometry.alignmentBytes(),
            ERASE_STEP_BYTES_MAX,
            capabilities.extents().available(),
            capabilities.punchHole().available(),
            capabilities.zeroRange().available());
  }

  @Override
  public int fd() {
    return file.fd();
  }

  @Override
  public boolean checksWrites() {
    return truncated;
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

  @Override
  public String identity() {
    FileStatus status = file.status();
    return String.join(
        ".",
        Long.toHexString(status.fileSystemDevice()),
        Long.toHexString(status.inode()),
        Long.toHexString(status.sizeBytes()),
        Long.toHexString(status.modifiedNanos()),
        Long.toHexString(status.changedNanos()));
  }

  @Override
  public long execute(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE -> write(request);
      case FLUSH -> flush();
      case DISCARD -> erase(request, true);
      case ZERO -> erase(request, request.mayUnmap());
    };
  }

  private long read(BlockRequest request) {
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = io.read(request);
    if (result == 0) {
      truncated = true;
      return -Errno.TRUNCATED;
    }
    // A direct read up to a new, odd end leaves a rest that is not aligned.
    return result == -Errno.EINVAL && lookForTruncation() ? -Errno.TRUNCATED : result;
  }

  private long write(BlockRequest request) {
    long refusal = refusal(request);
    if (refusal < 0 || request.remainingBytes() == 0) {
      return refusal;
    }
    return io.write(request);
  }

  private long erase(BlockRequest request, boolean unmap) {
    long refusal = refusal(request);
    if (refusal < 0 || request.remainingBytes() == 0) {
      return refusal;
    }
    long result = eraser.erase(request.remainingOffsetBytes(), request.remainingBytes(), unmap);
    if (result == -Errno.TRUNCATED) {
      truncated = true;
    }
    if (result > 0 && request.isFua()) {
      long flushed = flush();
      return flushed < 0 ? flushed : result;
    }
    return result;
  }

  /** Returns why the change may not happen, or 0. */
  private long refusal(BlockRequest request) {
    if (readOnly) {
      return -Errno.READ_ONLY;
    }
    if (truncated) {
      long endBytes = request.remainingOffsetBytes() + request.remainingBytes();
      long actualBytes = file.sizeBytesNow();
      return actualBytes < 0 ? actualBytes : actualBytes < endBytes ? -Errno.TRUNCATED : 0;
    }
    return 0;
  }

  private long flush() {
    if (readOnly) {
      return 0;
    }
    long result = io.flush();
    return result == 0 && lookForTruncation() ? -Errno.TRUNCATED : result;
  }

  private boolean lookForTruncation() {
    // A resize may run: growing changes the file first, shrinking the geometry. One of both sizes
    // is in order then.
    long beforeBytes = geometry.sizeBytes();
    long actualBytes = file.sizeBytesNow();
    boolean found = actualBytes >= 0 && actualBytes < Math.min(beforeBytes, geometry.sizeBytes());
    if (found) {
      truncated = true;
    }
    return found;
  }

  @Override
  public long tryNow(BlockRequest request) {
    return switch (request.op()) {
      case READ -> tryRead(request);
      case WRITE -> tryWrite(request);
      case FLUSH, DISCARD, ZERO -> -Errno.EOPNOTSUPP;
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
    // Linux 5.9 and 5.10 say 0 for a miss; if it is the end of a shrunk file, a blocking read finds
    // out.
    return result == 0 ? -Errno.EAGAIN : result;
  }

  private long tryWrite(BlockRequest request) {
    if (!nowaitWrite) {
      return -Errno.EOPNOTSUPP;
    }
    if (request.remainingBytes() == 0) {
      return 0;
    }
    long result = truncated ? -Errno.EAGAIN : io.tryWrite(request);
    return result == 0 ? -Errno.EAGAIN : result;
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    long sizeBytes = geometry.sizeBytes();
    // What a shrunk file lacks is no hole: a hole reads as zeroes, and this reads as an error.
    long presentBytes = lookForTruncation() ? Math.min(sizeBytes, file.sizeBytesNow()) : sizeBytes;
    if (offsetBytes >= presentBytes) {
      return new Extent(offsetBytes, sizeBytes - offsetBytes, false);
    }
    long dataBytes = calls.lseek(file.fd(), offsetBytes, SEEK_DATA);
    if (dataBytes == -Errno.ENXIO || dataBytes >= presentBytes) {
      return new Extent(offsetBytes, presentBytes - offsetBytes, true);
    }
    if (dataBytes > offsetBytes) {
      return new Extent(offsetBytes, dataBytes - offsetBytes, true);
    }
    // What cannot be told from data is data.
    long holeBytes = dataBytes < 0 ? sizeBytes : calls.lseek(file.fd(), offsetBytes, SEEK_HOLE);
    long endBytes = holeBytes <= offsetBytes ? presentBytes : Math.min(holeBytes, presentBytes);
    return new Extent(offsetBytes, endBytes - offsetBytes, false);
  }

  @Override
  public long allocatedBytes() {
    return file.status().allocatedBytes();
  }

  @Override
  public synchronized void resize(long newSizeBytes) {
    Geometry old = geometry;
    checkResize(newSizeBytes, Math.max(old.alignmentBytes(), file.options().blockSizeBytes()));
    if (newSizeBytes < old.sizeBytes()) {
      geometry = old.withSizeBytes(newSizeBytes);
    }
    long result = calls.ftruncate(file.fd(), newSizeBytes);
    if (result < 0) {
      geometry = old;
      throw Refusals.failed("resize", file.path(), result);
    }
    // A size that may be lost in a crash must not be promised to anyone.
    result = calls.fsync(file.fd());
    if (result < 0) {
      throw Refusals.failed("make the new size durable of", file.path(), result);
    }
    geometry = old.withSizeBytes(newSizeBytes);
    truncated = false;
  }

  private void checkResize(long newSizeBytes, int unitBytes) {
    if (readOnly) {
      throw new BackingException(
          "cannot resize "
              + file.path()
              + ": it is opened for reading only, remove `readonly` first",
          Errno.EROFS);
    }
    if (newSizeBytes <= 0 || newSizeBytes % unitBytes != 0) {
      throw new BackingException(
          "cannot resize "
              + file.path()
              + " to "
              + newSizeBytes
              + " bytes: ask for a multiple of "
              + unitBytes,
          Errno.EINVAL);
    }
  }

  @Override
  public void close() {
    file.close();
  }
}

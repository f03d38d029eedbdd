package io.loopgate.backing.fd;

import static io.loopgate.sys.LinuxConstants.RWF_DSYNC;
import static io.loopgate.sys.LinuxConstants.RWF_NOWAIT;

import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.SystemCalls;

/**
 * Single steps of reading, writing and flushing an open file. Any number of threads; nothing is
 * allocated.
 *
 * <p>Results are bytes or negative error numbers; a read may return 0, whose meaning the backing
 * knows.
 */
public final class PositionalIo {
  /**
   * File systems in user space may let calls end early; a storm of signals must not hold one for
   * ever.
   */
  private static final int INTERRUPTIONS_MAX = 16;

  private final SystemCalls calls;
  private final int fd;
  private final long unitMask;
  private final long memoryMask;
  private volatile boolean dsync;

  /**
   * Creates one.
   *
   * @param geometry what transfers have to be aligned to
   * @param dsync whether single writes can be made durable, as far as is known
   */
  public PositionalIo(SystemCalls calls, int fd, Geometry geometry, boolean dsync) {
    this.calls = calls;
    this.fd = fd;
    this.unitMask = geometry.alignmentBytes() - 1L;
    this.memoryMask = geometry.memoryAlignmentBytes() - 1L;
    this.dsync = dsync;
  }

  /** Reads the next part of the request. */
  public long read(BlockRequest request) {
    long result = read(request, 0);
    for (int i = 0; result == -Errno.EINTR && i < INTERRUPTIONS_MAX; i++) {
      result = read(request, 0);
    }
    return result;
  }

  /** Reads the next part of the request if that needs no waiting. */
  public long tryRead(BlockRequest request) {
    return read(request, RWF_NOWAIT);
  }

  private long read(BlockRequest request, int flags) {
    if (isMisaligned(request)) {
      return -Errno.EINVAL;
    }
    return calls.pread(
        fd,
        request.remainingAddress(),
        request.remainingBytes(),
        request.remainingOffsetBytes(),
        flags);
  }

  /** Writes the next part of the request, durably if it says so. */
  public long write(BlockRequest request) {
    boolean durable = request.isFua();
    boolean flagged = durable && dsync;
    long result = writeUninterrupted(request, flagged ? RWF_DSYNC : 0);
    if (flagged && isUnsupported(result)) {
      dsync = false;
      flagged = false;
      result = writeUninterrupted(request, 0);
    }
    if (result > 0 && durable && !flagged) {
      long flushed = flush();
      return flushed < 0 ? flushed : result;
    }
    // A write that moves nothing and does not say why would be tried for ever.
    return result == 0 ? -Errno.EIO : result;
  }

  private long writeUninterrupted(BlockRequest request, int flags) {
    long result = write(request, flags);
    for (int i = 0; result == -Errno.EINTR && i < INTERRUPTIONS_MAX; i++) {
      result = write(request, flags);
    }
    return result;
  }

  /** Writes the next part of the request if that needs no waiting; a durable write always does. */
  public long tryWrite(BlockRequest request) {
    return request.isFua() ? -Errno.EAGAIN : write(request, RWF_NOWAIT);
  }

  private long write(BlockRequest request, int flags) {
    if (isMisaligned(request)) {
      return -Errno.EINVAL;
    }
    return calls.pwrite(
        fd,
        request.remainingAddress(),
        request.remainingBytes(),
        request.remainingOffsetBytes(),
        flags);
  }

  /**
   * Not left to the kernel: ext4 serves a misaligned direct transfer through the page cache and
   * says nothing.
   */
  private boolean isMisaligned(BlockRequest request) {
    return ((request.remainingOffsetBytes() | request.remainingBytes()) & unitMask) != 0
        || (request.remainingAddress() & memoryMask) != 0;
  }

  /** Makes everything written before it durable; answers 0. */
  public long flush() {
    return calls.fdatasync(fd);
  }

  /**
   * Tells whether a result says that the kernel or the file system does not know the call or the
   * flag.
   */
  public static boolean isUnsupported(long result) {
    return result == -Errno.EOPNOTSUPP || result == -Errno.ENOSYS;
  }
}

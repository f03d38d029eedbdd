package io.loopgate.backing.fd;

import static io.loopgate.sys.LinuxConstants.LOCK_EX;
import static io.loopgate.sys.LinuxConstants.LOCK_NB;
import static io.loopgate.sys.LinuxConstants.LOCK_SH;
import static io.loopgate.sys.LinuxConstants.O_DIRECT;
import static io.loopgate.sys.LinuxConstants.O_RDONLY;
import static io.loopgate.sys.LinuxConstants.O_RDWR;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.block.Errno;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.FileSystems;
import io.loopgate.sys.SystemCalls;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * An open and locked file or device: its descriptors and what they were opened with. Immutable but
 * for {@link #close}.
 *
 * <p>A writable direct one has a second, buffered descriptor of the same inode, for the edges of
 * zeroing that direct I/O cannot reach.
 */
public final class OpenFile implements AutoCloseable {
  private static final int DEVICE_LOCK_RETRIES = 20;
  private static final long DEVICE_LOCK_PAUSE_NANOS = 20_000_000;

  private final SystemCalls calls;
  private final Path path;
  private final OpenOptions options;
  private final int fd;
  private final int bufferedFd;
  private final String fileSystem;
  private final AtomicBoolean closed = new AtomicBoolean();

  private OpenFile(
      SystemCalls calls,
      Path path,
      OpenOptions options,
      int fd,
      int bufferedFd,
      String fileSystem) {
    this.calls = calls;
    this.path = path;
    this.options = options;
    this.fd = fd;
    this.bufferedFd = bufferedFd;
    this.fileSystem = fileSystem;
  }

  /**
   * Finds out what lies at a path, before anything is opened: opening alone would wait for the
   * other end of a pipe.
   *
   * @throws BackingException if there is nothing, or nothing that may be looked at
   */
  public static FileStatus look(SystemCalls calls, Path path) {
    FileStatus status = new FileStatus();
    long result = calls.statx(path.toString(), status);
    if (result == -Errno.ENOENT) {
      throw Refusals.missing(path);
    }
    if (result == -Errno.EACCES) {
      throw Refusals.unreadable(path, result, false);
    }
    if (result < 0) {
      throw Refusals.failed("open", path, result);
    }
    return status;
  }

  /**
   * Opens and locks: shared for reading only, else exclusive, so that no two writers share an
   * image.
   *
   * @param device whether it is a block device, for the messages
   * @param extraFlags flags to open it with besides those that follow from the options
   * @throws BackingException if it cannot be opened or locked
   */
  public static OpenFile open(
      SystemCalls calls, Path path, OpenOptions options, boolean device, int extraFlags) {
    int access = options.readOnly() ? O_RDONLY : O_RDWR;
    int flags = access | (options.direct() ? O_DIRECT : 0) | extraFlags;
    long fd = calls.open(path.toString(), flags, 0);
    if (fd < 0) {
      throw refusal(calls, path, options, device, fd);
    }
    long buffered = fd;
    try {
      lock(calls, path, (int) fd, options.readOnly(), device);
      if (options.direct() && !options.readOnly()) {
        buffered = openBuffered(calls, path, (int) fd);
      }
      String fileSystem =
          device ? "block device" : FileSystems.name(calls.fileSystemType((int) fd));
      return new OpenFile(calls, path, options, (int) fd, (int) buffered, fileSystem);
    } catch (RuntimeException failure) {
      calls.close((int) fd);
      throw failure;
    }
  }

  private static BackingException refusal(
      SystemCalls calls, Path path, OpenOptions options, boolean device, long result) {
    boolean denied = result == -Errno.EACCES || result == -Errno.EPERM || result == -Errno.EROFS;
    if (denied && !options.readOnly() && readable(calls, path)) {
      return Refusals.onlyReadable(path, result);
    }
    if (denied) {
      return Refusals.unreadable(path, result, device);
    }
    if (result == -Errno.EBUSY) {
      return Refusals.claimed(path);
    }
    if (result == -Errno.EINVAL && options.direct()) {
      return Refusals.noDirect(path, "its file system does not take O_DIRECT");
    }
    return result == -Errno.ENOENT ? Refusals.missing(path) : Refusals.failed("open", path, result);
  }

  private static boolean readable(SystemCalls calls, Path path) {
    long fd = calls.open(path.toString(), O_RDONLY, 0);
    if (fd < 0) {
      return false;
    }
    calls.close((int) fd);
    return true;
  }

  private static void lock(SystemCalls calls, Path path, int fd, boolean shared, boolean device) {
    int operation = (shared ? LOCK_SH : LOCK_EX) | LOCK_NB;
    long result = calls.flock(fd, operation);
    // udev locks a device for the moment it looks at it, such as when it has just been attached.
    for (int i = 0; device && result == -Errno.EAGAIN && i < DEVICE_LOCK_RETRIES; i++) {
      LockSupport.parkNanos(DEVICE_LOCK_PAUSE_NANOS);
      result = calls.flock(fd, operation);
    }
    if (result == -Errno.EAGAIN) {
      throw Refusals.locked(path, device);
    }
    if (result < 0) {
      throw Refusals.failed("lock", path, result);
    }
  }

  private static long openBuffered(SystemCalls calls, Path path, int fd) {
    // By its descriptor, not by its path: the path may name another file by now.
    long buffered = calls.open("/proc/self/fd/" + fd, O_RDWR, 0);
    if (buffered < 0) {
      throw Refusals.failed("open a second time (through /proc/self/fd)", path, buffered);
    }
    return buffered;
  }

  /** Returns the calls it was opened with. */
  public SystemCalls calls() {
    return calls;
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  /** Returns how it was to be opened. */
  public OpenOptions options() {
    return options;
  }

  /** Returns the descriptor that transfers go through. */
  public int fd() {
    return fd;
  }

  /**
   * Returns a descriptor that goes through the page cache; the same one unless direct I/O was
   * demanded.
   */
  public int bufferedFd() {
    return bufferedFd;
  }

  /** Returns the name of the file system, or {@code block device}. */
  public String fileSystem() {
    return fileSystem;
  }

  /**
   * Asks for its status anew.
   *
   * @throws BackingException if the kernel does not tell
   */
  public FileStatus status() {
    FileStatus status = new FileStatus();
    long result = calls.statx(fd, status);
    if (result < 0) {
      throw Refusals.failed("ask for the status of", path, result);
    }
    return status;
  }

  /**
   * Returns the size the file has now, or a negative error number; for the data path, which throws
   * nothing.
   */
  public long sizeBytesNow() {
    FileStatus status = new FileStatus();
    long result = calls.statx(fd, status);
    return result < 0 ? result : status.sizeBytes();
  }

  /**
   * Closes the descriptors, which gives up the lock. Once only: the numbers may belong to others
   * afterwards.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (bufferedFd != fd) {
      calls.close(bufferedFd);
    }
    calls.close(fd);
  }
}

package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The calls through the C library of this process. Stateless: what a call needs is in its {@link
 * CallFrame}.
 */
final class LinuxSystemCalls implements SystemCalls {
  private static final int AT_FDCWD = -100;
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int STATX_MASK = FileStatus.STATX_BASIC_STATS | FileStatus.STATX_DIOALIGN;
  private static final int STATFS_BAVAIL = 32;
  private static final int STATFS_FRSIZE = 72;
  private static final int RUSAGE_THREAD = 1;

  /** Behind two times of two words each and twelve counts; the structure has 18 words. */
  private static final long RUSAGE_NVCSW_OFFSET_BYTES = 16 * Long.BYTES;

  private static final MemorySegment EMPTY_PATH = Arena.global().allocateFrom("");

  LinuxSystemCalls() {
    // Links now, so that a missing function is found here and not in the middle of a request.
    if (LinuxHandles.PREADV2 == null) {
      throw new AssertionError();
    }
  }

  @Override
  public long open(String path, int flags, int mode) {
    CallFrame frame = CallFrame.acquire();
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(path).address();
      int all = flags | LinuxConstants.O_CLOEXEC;
      return frame.result((int) LinuxHandles.OPEN.invokeExact(frame.state, name, all, mode));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long close(int fd) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.CLOSE.invokeExact(frame.state, fd));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long pread(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags) {
    CallFrame frame = CallFrame.acquire();
    try {
      long vector = frame.vector(address, lengthBytes);
      return frame.result(
          (long)
              LinuxHandles.PREADV2.invokeExact(frame.state, fd, vector, 1, offsetBytes, rwFlags));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long pwrite(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags) {
    CallFrame frame = CallFrame.acquire();
    try {
      long vector = frame.vector(address, lengthBytes);
      return frame.result(
          (long)
              LinuxHandles.PWRITEV2.invokeExact(frame.state, fd, vector, 1, offsetBytes, rwFlags));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long fallocate(int fd, int mode, long offsetBytes, long lengthBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result(
          (int)
              LinuxHandles.FALLOCATE.invokeExact(frame.state, fd, mode, offsetBytes, lengthBytes));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long fdatasync(int fd) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.FDATASYNC.invokeExact(frame.state, fd));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long fsync(int fd) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.FSYNC.invokeExact(frame.state, fd));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long ftruncate(int fd, long sizeBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.FTRUNCATE.invokeExact(frame.state, fd, sizeBytes));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long statx(int fd, FileStatus into) {
    return statx(fd, EMPTY_PATH.address(), AT_EMPTY_PATH, into);
  }

  @Override
  public long statx(String path, FileStatus into) {
    try (Arena arena = Arena.ofConfined()) {
      return statx(AT_FDCWD, arena.allocateFrom(path).address(), 0, into);
    }
  }

  private static long statx(int directory, long path, int flags, FileStatus into) {
    CallFrame frame = CallFrame.acquire();
    try {
      long result =
          frame.result(
              (int)
                  LinuxHandles.STATX.invokeExact(
                      frame.state, directory, path, flags, STATX_MASK, frame.scratchAddress));
      if (result == 0) {
        into.read(frame.scratch);
      }
      return result;
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long lseek(int fd, long offsetBytes, int whence) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result(
          (long) LinuxHandles.LSEEK.invokeExact(frame.state, fd, offsetBytes, whence));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long flock(int fd, int operation) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.FLOCK.invokeExact(frame.state, fd, operation));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long fadvise(int fd, long offsetBytes, long lengthBytes, int advice) {
    CallFrame frame = CallFrame.acquire();
    try {
      // This one returns the error number itself.
      return -(long)
          (int) LinuxHandles.FADVISE.invokeExact(frame.state, fd, offsetBytes, lengthBytes, advice);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  /** Fills the scratch with {@code struct statfs}, whose members are words. */
  private static long statfs(CallFrame frame, int fd) throws Throwable {
    return frame.result(
        (int) LinuxHandles.FSTATFS.invokeExact(frame.state, fd, frame.scratchAddress));
  }

  @Override
  public long availableBytes(int fd) {
    CallFrame frame = CallFrame.acquire();
    try {
      long result = statfs(frame, fd);
      return result < 0
          ? result
          : frame.scratch.get(JAVA_LONG, STATFS_BAVAIL)
              * frame.scratch.get(JAVA_LONG, STATFS_FRSIZE);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long ioctlAt(int fd, long request, long address) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.IOCTL.invokeExact(frame.state, fd, request, address));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long fileSystemType(int fd) {
    CallFrame frame = CallFrame.acquire();
    try {
      long result = statfs(frame, fd);
      // The type is the first word of struct statfs, and a magic number has 32 bits.
      return result < 0 ? result : frame.scratch.get(JAVA_LONG, 0) & 0xFFFF_FFFFL;
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long ioctlGet(int fd, long request) {
    CallFrame frame = CallFrame.acquire();
    try {
      // Cleared first: most answers have 32 bits, which little-endian machines put into the lower
      // half.
      frame.scratch.set(JAVA_LONG, 0, 0);
      long result = ioctl(frame, fd, request);
      return result < 0 ? result : frame.scratch.get(JAVA_LONG, 0);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long ioctlRange(int fd, long request, long offsetBytes, long lengthBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      frame.vector(offsetBytes, lengthBytes);
      return ioctl(frame, fd, request);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  private static long ioctl(CallFrame frame, int fd, long request) throws Throwable {
    return frame.result(
        (int) LinuxHandles.IOCTL.invokeExact(frame.state, fd, request, frame.scratchAddress));
  }

  @Override
  public long threadWaits() {
    CallFrame frame = CallFrame.acquire();
    try {
      long result =
          frame.result(
              (int)
                  LinuxHandles.GETRUSAGE.invokeExact(
                      frame.state, RUSAGE_THREAD, frame.scratchAddress));
      return result < 0 ? result : frame.scratch.get(JAVA_LONG, RUSAGE_NVCSW_OFFSET_BYTES);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long allocateAligned(long alignmentBytes, long sizeBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      // This one returns the error number itself.
      int error =
          (int)
              LinuxHandles.POSIX_MEMALIGN.invokeExact(
                  frame.state, frame.scratchAddress, alignmentBytes, sizeBytes);
      return error != 0 ? -error : frame.scratch.get(JAVA_LONG, 0);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public void free(long address) {
    CallFrame frame = CallFrame.acquire();
    try {
      LinuxHandles.FREE.invokeExact(frame.state, address);
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long mapMemory(long sizeBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result(
          (long)
              LinuxHandles.MMAP.invokeExact(
                  frame.state,
                  0L,
                  sizeBytes,
                  LinuxConstants.PROT_READ | LinuxConstants.PROT_WRITE,
                  LinuxConstants.MAP_PRIVATE
                      | LinuxConstants.MAP_ANONYMOUS
                      | LinuxConstants.MAP_NORESERVE,
                  -1,
                  0L));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long dropMemory(long address, long sizeBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result(
          (int)
              LinuxHandles.MADVISE.invokeExact(
                  frame.state, address, sizeBytes, LinuxConstants.MADV_DONTNEED));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public long unmapMemory(long address, long sizeBytes) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result((int) LinuxHandles.MUNMAP.invokeExact(frame.state, address, sizeBytes));
    } catch (Throwable failure) {
      throw unexpected(failure);
    } finally {
      frame.release();
    }
  }

  /**
   * A linked function throws nothing of its own: what arrives here is an error of the virtual
   * machine.
   */
  static RuntimeException unexpected(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
  }
}

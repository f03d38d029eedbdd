package io.loopgate.sys;

/**
 * The calls of the operating system that storage needs and the class library does not offer.
 *
 * <p>Thread contract: every method may be called from every thread; all but {@link #pread} and
 * {@link #pwrite} with {@link LinuxConstants#RWF_NOWAIT} may block. Nothing is allocated per call
 * on the data path. A virtual thread that blocks here holds its carrier.
 *
 * <p>Results are those of the kernel: a count or value that is not negative, or the negated error
 * number ({@link io.loopgate.block.Errno}). All sizes and offsets are in bytes, all memory is named
 * by its address and has to stay allocated until the call returns.
 */
public interface SystemCalls {
  /**
   * Returns the calls of this machine; where there are none, every one of them throws and says why.
   */
  static SystemCalls instance() {
    return SystemCallsHolder.INSTANCE;
  }

  /** Opens a file; the result is a descriptor. {@code O_CLOEXEC} is always added. */
  long open(String path, int flags, int mode);

  /** Closes a descriptor. */
  long close(int fd);

  /** Reads at an offset ({@code preadv2}); {@code rwFlags} is a sum of {@code RWF_*}. */
  long pread(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags);

  /** Writes at an offset ({@code pwritev2}); {@code rwFlags} is a sum of {@code RWF_*}. */
  long pwrite(int fd, long address, long lengthBytes, long offsetBytes, int rwFlags);

  /** Manipulates space; {@code mode} is a sum of {@code FALLOC_FL_*}. */
  long fallocate(int fd, int mode, long offsetBytes, long lengthBytes);

  /** Makes the data of a file durable, and of its metadata what is needed to read it back. */
  long fdatasync(int fd);

  /** Makes a file or directory durable. */
  long fsync(int fd);

  /** Changes the size of a file. */
  long ftruncate(int fd, long sizeBytes);

  /** Fills in the status of an open file. */
  long statx(int fd, FileStatus into);

  /** Fills in the status of a path; symbolic links are followed. */
  long statx(String path, FileStatus into);

  /**
   * Moves or asks for a position; {@code SEEK_DATA} and {@code SEEK_HOLE} are what it is here for.
   */
  long lseek(int fd, long offsetBytes, int whence);

  /** Locks or unlocks an open file; {@code operation} is a sum of {@code LOCK_*}. */
  long flock(int fd, int operation);

  /** Tells the kernel what pages of a range are good for ({@code posix_fadvise}). */
  long fadvise(int fd, long offsetBytes, long lengthBytes, int advice);

  /**
   * Returns the magic number of the file system a file lies on; {@link FileSystems} knows the
   * names.
   */
  long fileSystemType(int fd);

  /** Returns how many bytes this user may still write to the file system a file lies on. */
  long availableBytes(int fd);

  /** Calls {@code ioctl} with the address of an argument that is read, written or both. */
  long ioctlAt(int fd, long request, long address);

  /** Asks a device for a number of up to 64 bits ({@code ioctl} with a pointer to the result). */
  long ioctlGet(int fd, long request);

  /** Lets a device do something to a range ({@code ioctl} with a pointer to offset and length). */
  long ioctlRange(int fd, long request, long offsetBytes, long lengthBytes);

  /**
   * Returns how often the calling thread gave up its processor to wait for something ({@code
   * getrusage}); having lost it to others does not count. Does not block.
   */
  long threadWaits();

  /**
   * Allocates memory at a multiple of {@code alignmentBytes} (a power of two of at least 8); not
   * zeroed.
   */
  long allocateAligned(long alignmentBytes, long sizeBytes);

  /** Gives back memory of {@link #allocateAligned}. */
  void free(long address);

  /**
   * Maps zeroed memory that belongs to nobody else; the result is its address, at a page. Pages are
   * taken when they are first written, not before.
   */
  long mapMemory(long sizeBytes);

  /**
   * Gives the pages of a part of {@link #mapMemory} back; its addresses stay valid and read as
   * zeroes, so another thread may use them meanwhile and sees old bytes or zeroes.
   */
  long dropMemory(long address, long sizeBytes);

  /** Gives back memory of {@link #mapMemory} with its addresses: nobody may use them any more. */
  long unmapMemory(long address, long sizeBytes);
}

package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * What {@link SystemCalls#statx(int, FileStatus)} found out; the owner may use it again for the
 * next call. Not thread-safe.
 */
public final class FileStatus {
  static final int BYTES = 256;
  static final int STATX_BASIC_STATS = 0x7FF;
  static final int STATX_DIOALIGN = 0x2000;

  private static final int S_IFMT = 0xF000;
  private static final int S_IFDIR = 0x4000;
  private static final int S_IFBLK = 0x6000;
  private static final int S_IFREG = 0x8000;
  private static final long SECTOR_BYTES = 512;
  private static final long NANOS = 1_000_000_000L;

  private int mask;
  private int links;
  private int mode;
  private long inode;
  private long sizeBytes;
  private long blocks;
  private long modifiedNanos;
  private long changedNanos;
  private long deviceNumber;
  private long fileSystemDevice;
  private int directMemoryAlignmentBytes;
  private int directOffsetAlignmentBytes;

  /** Creates one that knows nothing yet. */
  public FileStatus() {}

  /** Copies what {@code struct statx} holds. */
  void read(MemorySegment statx) {
    mask = statx.get(JAVA_INT, 0);
    links = statx.get(JAVA_INT, 16);
    mode = Short.toUnsignedInt(statx.get(JAVA_SHORT, 28));
    inode = statx.get(JAVA_LONG, 32);
    sizeBytes = statx.get(JAVA_LONG, 40);
    blocks = statx.get(JAVA_LONG, 48);
    changedNanos = statx.get(JAVA_LONG, 96) * NANOS + statx.get(JAVA_INT, 104);
    modifiedNanos = statx.get(JAVA_LONG, 112) * NANOS + statx.get(JAVA_INT, 120);
    deviceNumber = pair(statx.get(JAVA_INT, 128), statx.get(JAVA_INT, 132));
    fileSystemDevice = pair(statx.get(JAVA_INT, 136), statx.get(JAVA_INT, 140));
    directMemoryAlignmentBytes = statx.get(JAVA_INT, 152);
    directOffsetAlignmentBytes = statx.get(JAVA_INT, 156);
  }

  private static long pair(int major, int minor) {
    return ((long) major << 32) | Integer.toUnsignedLong(minor);
  }

  /** Tells whether it is a regular file. */
  public boolean isRegular() {
    return (mode & S_IFMT) == S_IFREG;
  }

  /** Tells whether it is a directory. */
  public boolean isDirectory() {
    return (mode & S_IFMT) == S_IFDIR;
  }

  /** Tells whether it is a block device. */
  public boolean isBlockDevice() {
    return (mode & S_IFMT) == S_IFBLK;
  }

  /** Returns how many names it has. */
  public int links() {
    return links;
  }

  /** Returns the inode number. */
  public long inode() {
    return inode;
  }

  /** Returns the size of a regular file. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns how many bytes are stored. */
  public long allocatedBytes() {
    return blocks * SECTOR_BYTES;
  }

  /** Returns when the content changed last, in nanoseconds of Unix time. */
  public long modifiedNanos() {
    return modifiedNanos;
  }

  /** Returns when content or metadata changed last, in nanoseconds of Unix time. */
  public long changedNanos() {
    return changedNanos;
  }

  /**
   * Returns which device the file is, for a device: major number in the upper half, minor in the
   * lower.
   */
  public long deviceNumber() {
    return deviceNumber;
  }

  /** Returns which device the file lies on, in the same form. */
  public long fileSystemDevice() {
    return fileSystemDevice;
  }

  /**
   * Tells whether the kernel said how direct I/O has to be aligned (Linux 6.1, not on every file
   * system).
   */
  public boolean knowsDirectAlignment() {
    return (mask & STATX_DIOALIGN) != 0;
  }

  /** Returns what memory of direct I/O has to be aligned to; 0 where direct I/O is not possible. */
  public int directMemoryAlignmentBytes() {
    return directMemoryAlignmentBytes;
  }

  /**
   * Returns what offsets and lengths of direct I/O have to be aligned to; 0 where it is not
   * possible.
   */
  public int directOffsetAlignmentBytes() {
    return directOffsetAlignmentBytes;
  }
}

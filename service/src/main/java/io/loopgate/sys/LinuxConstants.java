package io.loopgate.sys;

import java.util.Locale;

/**
 * Numbers of the Linux user interface, as the headers name them. Both machines served here are
 * little-endian.
 */
public final class LinuxConstants {
  private static final boolean ARM =
      System.getProperty("os.arch", "").toLowerCase(Locale.ROOT).equals("aarch64");

  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_CREAT = 0x40;
  public static final int O_EXCL = 0x80;
  public static final int O_CLOEXEC = 0x8_0000;

  /** Not the same on all machines: 040000 on x86-64, 0200000 on aarch64. */
  public static final int O_DIRECT = ARM ? 0x1_0000 : 0x4000;

  /** Not the same on all machines: 0200000 on x86-64, 040000 on aarch64. */
  public static final int O_DIRECTORY = ARM ? 0x4000 : 0x1_0000;

  /** A file without a name in the directory that is opened. */
  public static final int O_TMPFILE = 0x40_0000 | O_DIRECTORY;

  /** The write is durable before it returns; Linux 4.7. */
  public static final int RWF_DSYNC = 0x2;

  /** Answers {@code EAGAIN} instead of waiting; Linux 4.14 for reads of buffered files. */
  public static final int RWF_NOWAIT = 0x8;

  public static final int FALLOC_FL_KEEP_SIZE = 0x1;
  public static final int FALLOC_FL_PUNCH_HOLE = 0x2;
  public static final int FALLOC_FL_ZERO_RANGE = 0x10;

  public static final int SEEK_DATA = 3;
  public static final int SEEK_HOLE = 4;

  public static final int LOCK_SH = 1;
  public static final int LOCK_EX = 2;
  public static final int LOCK_NB = 4;
  public static final int LOCK_UN = 8;

  public static final int POSIX_FADV_RANDOM = 1;
  public static final int POSIX_FADV_DONTNEED = 4;

  public static final int PROT_READ = 0x1;
  public static final int PROT_WRITE = 0x2;

  public static final int MAP_PRIVATE = 0x2;
  public static final int MAP_ANONYMOUS = 0x20;

  /** Nothing is set aside for pages that may never be touched. */
  public static final int MAP_NORESERVE = 0x4000;

  /** Gives the pages back; the next touch finds zeroes. */
  public static final int MADV_DONTNEED = 4;

  /** Size of a device in bytes. */
  public static final long BLKGETSIZE64 = 0x8008_1272L;

  /** Logical sector size: what transfers have to be multiples of. */
  public static final long BLKSSZGET = 0x1268L;

  /** Physical sector size: what the device writes as a whole. */
  public static final long BLKPBSZGET = 0x127BL;

  /** Whether the device takes no writes. */
  public static final long BLKROGET = 0x125EL;

  /** Gives a range back; what it reads as afterwards is up to the device. */
  public static final long BLKDISCARD = 0x1277L;

  /** Zeroes a range. */
  public static final long BLKZEROOUT = 0x127FL;

  /** Whether a discarded range reads as zeroes; always no since Linux 4.12. */
  public static final long BLKDISCARDZEROES = 0x127CL;

  /** A number no two disks of one boot share; Linux 5.15. */
  public static final long BLKGETDISKSEQ = 0x8008_1280L;

  /** Where the blocks of a file lie ({@code struct fiemap}). */
  public static final long FS_IOC_FIEMAP = 0xC020_660BL;

  /** What is dirty is written out first, so that it has its place. */
  public static final int FIEMAP_FLAG_SYNC = 0x1;

  public static final int FIEMAP_EXTENT_LAST = 0x1;
  public static final int FIEMAP_EXTENT_UNKNOWN = 0x2;
  public static final int FIEMAP_EXTENT_DELALLOC = 0x4;

  /** Compressed or encrypted: the bytes on the device are others. */
  public static final int FIEMAP_EXTENT_ENCODED = 0x8;

  public static final int FIEMAP_EXTENT_NOT_ALIGNED = 0x100;
  public static final int FIEMAP_EXTENT_DATA_INLINE = 0x200;
  public static final int FIEMAP_EXTENT_DATA_TAIL = 0x400;

  /** Allocated ahead and never written: it reads as zeroes. */
  public static final int FIEMAP_EXTENT_UNWRITTEN = 0x800;

  /** Other files have these blocks too, by a reflink or a snapshot. */
  public static final int FIEMAP_EXTENT_SHARED = 0x2000;

  /** Numbers of the system calls of native asynchronous I/O, which no C library wraps. */
  static final long SYS_IO_SETUP = ARM ? 0 : 206;

  static final long SYS_IO_DESTROY = ARM ? 1 : 207;
  static final long SYS_IO_GETEVENTS = ARM ? 4 : 208;
  static final long SYS_IO_SUBMIT = ARM ? 2 : 209;

  static final int EFD_CLOEXEC = O_CLOEXEC;

  private LinuxConstants() {}

  /** Tells whether the numbers above are right for a machine. */
  static boolean knowsMachine(String machine) {
    return machine.equals("amd64") || machine.equals("x86_64") || machine.equals("aarch64");
  }
}

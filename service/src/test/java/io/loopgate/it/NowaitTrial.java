package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import java.nio.file.Path;

/**
 * What the kernel really does with RWF_NOWAIT on a file or device, tried by hand.
 *
 * @param read whether a read that could be at once was
 * @param write whether an overwrite of blocks written a moment ago was
 */
record NowaitTrial(boolean read, boolean write) {
  private static final SystemCalls CALLS = SystemCalls.instance();
  private static final int BYTES = 1 << 20;
  private static final int STEP = 4096;
  private static final int TRIES = 16;

  /** Fills a file or device with zeroes, past the page cache, so that each block is written. */
  static void fill(Path path, long sizeBytes) {
    int flags = LinuxConstants.O_RDWR | LinuxConstants.O_CREAT | LinuxConstants.O_DIRECT;
    int fd = open(path, flags);
    try (AlignedMemory memory = AlignedMemory.allocate(STEP, BYTES)) {
      for (long at = 0; at < sizeBytes; at += BYTES) {
        assertThat(CALLS.pwrite(fd, memory.address(), BYTES, at, 0)).isEqualTo(BYTES);
      }
      assertThat(CALLS.fsync(fd)).isZero();
    } finally {
      CALLS.close(fd);
    }
  }

  /** Tries it on what {@link #fill} has filled with at least a mebibyte. */
  static NowaitTrial of(Path path, boolean direct) {
    int fd = open(path, LinuxConstants.O_RDWR | (direct ? LinuxConstants.O_DIRECT : 0));
    try (AlignedMemory memory = AlignedMemory.allocate(STEP, BYTES)) {
      if (!direct) {
        assertThat(CALLS.pread(fd, memory.address(), BYTES, 0, 0)).isEqualTo(BYTES);
      }
      boolean read = false;
      boolean write = false;
      for (int i = 0; i < TRIES; i++) {
        long at = (long) i * STEP;
        read |= worked(CALLS.pread(fd, memory.address(), STEP, at, LinuxConstants.RWF_NOWAIT));
        // One that may wait before it: on XFS the times of the file are the same for a tick then.
        assertThat(CALLS.pwrite(fd, memory.address(), STEP, at, 0)).isEqualTo(STEP);
        write |= worked(CALLS.pwrite(fd, memory.address(), STEP, at, LinuxConstants.RWF_NOWAIT));
      }
      return new NowaitTrial(read, write);
    } finally {
      CALLS.close(fd);
    }
  }

  private static int open(Path path, int flags) {
    long fd = CALLS.open(path.toString(), flags, 0600);
    assertThat(fd).as("open %s", path).isNotNegative();
    return (int) fd;
  }

  private static boolean worked(long result) {
    assertThat(result).isIn((long) STEP, (long) -Errno.EAGAIN, (long) -Errno.EOPNOTSUPP);
    return result == STEP;
  }
}

package io.loopgate.bench.files;

import io.loopgate.block.Errno;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Brings files into the page cache and out of it. Blocks.
 *
 * <p>Out of it by {@code posix_fadvise}, file by file: {@code drop_caches} would take the caches of
 * everybody else on the machine as well.
 */
final class PageCache {
  private static final int CHUNK_BYTES = 1 << 20;

  private PageCache() {}

  /** Writes back what is dirty, so that no run pays for the one before. */
  static void clean(Path file) {
    withDescriptor(file, (calls, fd) -> calls.fdatasync(fd));
  }

  /** Drops all pages of the file. */
  static void evict(Path file) {
    clean(file);
    withDescriptor(
        file, (calls, fd) -> calls.fadvise(fd, 0, 0, LinuxConstants.POSIX_FADV_DONTNEED));
  }

  /** Reads the file from end to end. */
  static void heat(Path file) {
    clean(file);
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK_BYTES);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer) >= 0) {
        buffer.clear();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private interface Call {
    long run(SystemCalls calls, int fd);
  }

  private static void withDescriptor(Path file, Call call) {
    SystemCalls calls = SystemCalls.instance();
    long fd = calls.open(file.toString(), LinuxConstants.O_RDONLY, 0);
    long result = fd;
    if (fd >= 0) {
      result = call.run(calls, (int) fd);
      calls.close((int) fd);
    }
    if (result < 0) {
      throw new TargetException("cannot prepare " + file + ": " + Errno.name(-result));
    }
  }
}

package io.loopgate.bench.files;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.control.StoppedException;
import io.loopgate.config.Units;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/** Makes image files, but only where there is room for them. Blocks. */
final class ImageMaker {
  private static final int CHUNK_BYTES = 1 << 20;

  /** What stays free on the file system, whatever is made. */
  private static final long RESERVE_BYTES = 256L << 20;

  private final Stop stop;

  ImageMaker(Stop stop) {
    this.stop = stop;
  }

  /** Makes a file that is a hole. */
  void sparse(Path file, long sizeBytes) {
    requireRoom(file, sizeBytes);
    try (FileChannel channel = open(file)) {
      channel.write(ByteBuffer.allocate(1), sizeBytes - 1);
    } catch (IOException e) {
      throw cannot("make", file, e);
    }
  }

  /** Makes a file every block of which is written, with bytes that do not compress. */
  void written(Path file, long sizeBytes) {
    requireRoom(file, sizeBytes);
    ByteBuffer chunk = noise();
    try (FileChannel channel = open(file)) {
      long position = 0;
      while (position < sizeBytes) {
        stop.check();
        chunk.putLong(0, position);
        chunk.clear().limit((int) Math.min(CHUNK_BYTES, sizeBytes - position));
        while (chunk.hasRemaining()) {
          position += channel.write(chunk, position);
        }
      }
      channel.force(true);
    } catch (IOException e) {
      throw cannot("write", file, e);
    } catch (StoppedException e) {
      deleteQuietly(file);
      throw e;
    }
  }

  /** Refuses when the file system of the file would be left without a reserve. */
  static void requireRoom(Path file, long sizeBytes) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder == null) {
        throw new TargetException(file + " is not the name of a file");
      }
      long usable = Files.getFileStore(folder).getUsableSpace();
      if (usable - RESERVE_BYTES < sizeBytes) {
        throw new TargetException(
            "no room for "
                + Units.formatBytes(sizeBytes)
                + " in "
                + folder
                + ": "
                + usable / (1 << 20)
                + " MiB are free, and "
                + Units.formatBytes(RESERVE_BYTES)
                + " have to stay so; name another folder with --dir, or less with --size");
      }
    } catch (IOException e) {
      throw cannot("find room for", file, e);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  private static ByteBuffer noise() {
    ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    SplittableRandom random = new SplittableRandom(1);
    while (chunk.remaining() >= Long.BYTES) {
      chunk.putLong(random.nextLong());
    }
    return chunk;
  }

  static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It stays; there is nothing more to do about it.
    }
  }

  private static TargetException cannot(String what, Path file, IOException e) {
    return new TargetException("cannot " + what + " " + file + ": " + e.getMessage());
  }
}

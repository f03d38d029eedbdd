package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/** Image files and the bytes in them. */
final class Images {
  /** A kibibyte. */
  static final int KIB = 1 << 10;

  /** A mebibyte. */
  static final int MIB = 1 << 20;

  /** A gibibyte. */
  static final long GIB = 1L << 30;

  private Images() {}

  /** Bytes that look random and are the same for the same seed. */
  static byte[] noise(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Creates a file of holes. */
  static Path sparse(Path path, long sizeBytes) throws IOException {
    Files.createFile(path);
    resize(path, sizeBytes);
    return path;
  }

  /** Cuts a file, or extends it with a hole. */
  static void resize(Path path, long sizeBytes) throws IOException {
    try (var file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(sizeBytes);
    }
  }

  /** Creates a file of noise. */
  static Path noise(Path path, long seed, int sizeBytes) throws IOException {
    return Files.write(path, noise(seed, sizeBytes));
  }

  /** Creates a file with noise at its start, across its middle and at its end, holes between. */
  static Path patchy(Path path, long seed, long sizeBytes) throws IOException {
    sparse(path, sizeBytes);
    write(path, 0, noise(seed, 200 * KIB + 13));
    write(path, sizeBytes / 2 - 300, noise(seed + 1, MIB + 77));
    write(path, sizeBytes - 64 * KIB, noise(seed + 2, 64 * KIB));
    return path;
  }

  /** Writes into a file. */
  static void write(Path path, long offset, byte[] bytes) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      var buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        file.write(buffer, offset + buffer.position());
      }
    }
  }

  /** Fails the test unless both files hold the same bytes. */
  static void assertSame(Path actual, Path expected) throws IOException {
    assertThat(Files.mismatch(actual, expected))
        .as("first byte where %s differs from %s", actual, expected)
        .isEqualTo(-1);
  }

  /** Fails the test unless both hold the same bytes; says where they differ, not all of them. */
  static void assertSame(String what, byte[] actual, byte[] expected) {
    assertThat(actual.length).as("length of %s", what).isEqualTo(expected.length);
    assertThat(Arrays.mismatch(actual, expected))
        .as("first byte of %s that differs", what)
        .isEqualTo(-1);
  }
}

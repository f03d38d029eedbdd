package io.loopgate.it;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;

/**
 * What is known of a volume whose blocks each carry their number, a version and a checksum.
 *
 * <p>A block has one writer at a time, which tells when it sends a version and when that was
 * acknowledged. Version 0 is a block of zeroes.
 */
final class VersionedBlocks {
  /** The size of a block. */
  static final int BLOCK = 4096;

  private static final int FILLED = BLOCK - Integer.BYTES;

  private final AtomicLongArray sent;
  private final AtomicLongArray acknowledged;

  VersionedBlocks(int count) {
    sent = new AtomicLongArray(count);
    acknowledged = new AtomicLongArray(count);
  }

  int count() {
    return sent.length();
  }

  /** Returns the bytes of the next version of a block, which may be on the volume from now on. */
  byte[] next(int block) {
    return encode(block, sent.incrementAndGet(block));
  }

  /** Notes that the version sent last was acknowledged. */
  void acknowledge(int block) {
    acknowledged.set(block, sent.get(block));
  }

  /** Notes that the version sent last was refused: it must not be on the volume. */
  void refused(int block) {
    sent.set(block, acknowledged.get(block));
  }

  /** Returns how many versions were acknowledged in all. */
  long acknowledgements() {
    long sum = 0;
    for (int block = 0; block < count(); block++) {
      sum += acknowledged.get(block);
    }
    return sum;
  }

  /** Fails the test unless each block is whole and as new as it was acknowledged; learns it. */
  void verify(byte[] volume) {
    for (int block = 0; block < count(); block++) {
      long version = verify(block, Arrays.copyOfRange(volume, block * BLOCK, (block + 1) * BLOCK));
      acknowledged.set(block, version);
      sent.set(block, version);
    }
  }

  /**
   * Fails the test unless a block is whole and as new as it was acknowledged; for its writer, when
   * nothing of it is under way. Returns its version.
   */
  long verify(int block, byte[] bytes) {
    long version = version(block, bytes);
    if (version < acknowledged.get(block) || version > sent.get(block)) {
      throw new AssertionError(
          "block %d has version %d; acknowledged %d, sent %d"
              .formatted(block, version, acknowledged.get(block), sent.get(block)));
    }
    return version;
  }

  private static long version(int block, byte[] bytes) {
    long version = ByteBuffer.wrap(bytes).getLong(Long.BYTES);
    byte[] whole = version == 0 ? new byte[BLOCK] : encode(block, version);
    int at = Arrays.mismatch(bytes, whole);
    if (at >= 0) {
      throw new AssertionError(
          "block %d is torn: it begins as version %d and is not from byte %d on"
              .formatted(block, version, at));
    }
    return version;
  }

  private static byte[] encode(int block, long version) {
    var buffer = ByteBuffer.allocate(BLOCK);
    buffer.putLong(block).putLong(version);
    long state = (block + 1) * 0x9e3779b97f4a7c15L + version * 0xbf58476d1ce4e5b9L;
    while (buffer.position() < FILLED) {
      state ^= state << 13;
      state ^= state >>> 7;
      state ^= state << 17;
      if (buffer.position() + Long.BYTES <= FILLED) {
        buffer.putLong(state);
      } else {
        buffer.putInt((int) state);
      }
    }
    var checksum = new CRC32C();
    checksum.update(buffer.array(), 0, FILLED);
    return buffer.putInt((int) checksum.getValue()).array();
  }
}

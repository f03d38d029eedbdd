package io.loopgate.bench.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * What is known of a volume each block of which carries its place and a version. A block has one
 * writer at a time, so versions are acknowledged in the order they were sent: a read has to find
 * the version acknowledged last before it began, or one that was sent before it ended. Every word
 * of a block tells both, so that no byte may be another block's or an older version's.
 *
 * <p>While a write is under way a read may find a part of it: no server promises otherwise. Any
 * thread.
 */
final class BlockModel {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long PLACE_MIX = 0x9E37_79B9_7F4A_7C15L;
  private static final long VERSION_MIX = 0xBF58_476D_1CE4_E5B9L;

  private static final int BLOCKS_MAX = 1 << 24;

  private final int blockBytes;
  private final AtomicIntegerArray sent;
  private final AtomicIntegerArray acknowledged;

  /**
   * Begins with version 0 everywhere, which has to be written before the first read.
   *
   * @param blockBytes a multiple of 8
   * @throws IllegalArgumentException if there are more blocks than can be remembered
   */
  BlockModel(int blockBytes, long sizeBytes) {
    this.blockBytes = blockBytes;
    if (sizeBytes / blockBytes > BLOCKS_MAX) {
      throw new IllegalArgumentException(
          "of " + BLOCKS_MAX + " blocks at most each is remembered: use less with --size");
    }
    int blocks = (int) (sizeBytes / blockBytes);
    this.sent = new AtomicIntegerArray(blocks);
    this.acknowledged = new AtomicIntegerArray(blocks);
  }

  int blockBytes() {
    return blockBytes;
  }

  long sizeBytes() {
    return (long) blockBytes * sent.length();
  }

  private int block(long offsetBytes) {
    return (int) (offsetBytes / blockBytes);
  }

  /** Returns the version to write next; nothing while another write of the block is under way. */
  OptionalInt claim(long offsetBytes) {
    int block = block(offsetBytes);
    int version = acknowledged.get(block);
    return sent.compareAndSet(block, version, version + 1)
        ? OptionalInt.of(version + 1)
        : OptionalInt.empty();
  }

  /** The write of this version has ended well. */
  void acknowledge(long offsetBytes, int version) {
    acknowledged.set(block(offsetBytes), version);
  }

  /** Returns the version that a read which begins now has to find at least. */
  int floor(long offsetBytes) {
    return acknowledged.get(block(offsetBytes));
  }

  /** Puts the bytes of a version. */
  void fill(byte[] bytes, int at, long offsetBytes, int version) {
    for (int i = 0; i < blockBytes; i += Long.BYTES) {
      WORDS.set(bytes, at + i, word(offsetBytes + i, version));
    }
  }

  /**
   * Returns where bytes that were read are none of what they may be, or -1.
   *
   * @param floor what {@link #floor} said before the read
   */
  int mismatch(byte[] bytes, int at, long offsetBytes, int floor) {
    int ceiling = sent.get(block(offsetBytes));
    int version = floor;
    for (int i = 0; i < blockBytes; i += Long.BYTES) {
      long is = (long) WORDS.get(bytes, at + i);
      if (is != word(offsetBytes + i, version)) {
        version = find(is, offsetBytes + i, floor, ceiling);
        if (version < floor) {
          return i;
        }
      }
    }
    return -1;
  }

  private static int find(long is, long place, int floor, int ceiling) {
    for (int version = ceiling; version >= floor; version--) {
      if (is == word(place, version)) {
        return version;
      }
    }
    return floor - 1;
  }

  /** Different for every place and every version, and not to be compressed. */
  private static long word(long place, int version) {
    long x = (place + 1) * PLACE_MIX + (version + 1) * VERSION_MIX;
    x ^= x >>> 29;
    x *= PLACE_MIX;
    return x ^ (x >>> 32);
  }
}

package io.loopgate.bench.http;

import io.netty.buffer.ByteBuf;

/** Writes numbers as text without making a text of them. */
final class Digits {
  private static final int LONGEST = 19;

  private Digits() {}

  /** Appends a number that is not negative. */
  static void append(ByteBuf out, long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    out.ensureWritable(LONGEST);
    int end = out.writerIndex() + digits;
    long rest = number;
    for (int at = end - 1; at >= end - digits; at--) {
      out.setByte(at, (byte) ('0' + rest % 10));
      rest /= 10;
    }
    out.writerIndex(end);
  }
}

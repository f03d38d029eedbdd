package io.loopgate.http;

import io.netty.buffer.ByteBuf;

/** The head of an answer as it is put together. Used again and again; allocates nothing. */
final class AnswerText {
  /** More than a head can have. */
  static final int BYTES_MAX = 512;

  private final byte[] bytes = new byte[BYTES_MAX];
  private int at;

  /** Goes on behind the first so many bytes, which stay. */
  AnswerText from(int keptBytes) {
    at = keptBytes;
    return this;
  }

  @SuppressWarnings("deprecation") // The text is ASCII, and this is the copy without an encoder.
  AnswerText text(String text) {
    text.getBytes(0, text.length(), bytes, at);
    at += text.length();
    return this;
  }

  AnswerText number(long value) {
    long rest = value;
    int digits = 1;
    for (long bound = 10; digits < 19 && value >= bound; bound *= 10) {
      digits++;
    }
    for (int i = at + digits - 1; i >= at; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    at += digits;
    return this;
  }

  int lengthBytes() {
    return at;
  }

  /** Copies it to where it is to stand. */
  void copyTo(ByteBuf out, int index) {
    out.setBytes(index, bytes, 0, at);
  }
}

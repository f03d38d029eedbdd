package io.loopgate.http;

import io.netty.buffer.ByteBuf;

/**
 * Writes the answer to a write, which is a head only: the fields, their spelling and order are
 * those of {@link ChangeAnswer}. One per event loop; the part that stays the same is kept.
 */
final class WriteHead {
  private final AnswerText head = new AnswerText();
  private String date = "";
  private int fixedBytes;

  /** Makes the whole answer the readable bytes of {@code out}. */
  void put(ByteBuf out, String newDate, String tag, long sequence, boolean durable) {
    if (!newDate.equals(date)) {
      date = newDate;
      fixedBytes =
          head.from(0)
              .text("HTTP/1.1 200 OK\r\nDate: ")
              .text(date)
              .text("\r\nETag: ")
              .lengthBytes();
    }
    head.from(fixedBytes)
        .text(tag)
        .text("\r\nBlock-Sequence: ")
        .number(sequence)
        .text("\r\nBlock-Durable: ")
        .text(durable ? "true" : "false")
        .text("\r\nContent-Length: 0\r\n\r\n");
    head.copyTo(out, 0);
    out.setIndex(0, head.lengthBytes());
  }
}

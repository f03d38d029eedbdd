package io.loopgate.http;

import io.netty.buffer.ByteBuf;

/**
 * Writes the head of the answer to a read of one range: the fields, their spelling and order are
 * those of {@link ReadHandler}. One per event loop; the part that stays the same is kept.
 */
final class ReadHead {
  private final AnswerText head = new AnswerText();
  private String date = "";
  private String tag = "";
  private int fixedBytes;

  /**
   * Writes a head right before the payload.
   *
   * @param out its readable bytes are the payload, with at least {@link AnswerText#BYTES_MAX}
   *     before them
   */
  void put(ByteBuf out, String newDate, String newTag, ByteRange range, long sizeBytes) {
    if (!newTag.equals(tag) || !newDate.equals(date)) {
      fix(newDate, newTag);
    }
    head.from(fixedBytes)
        .number(range.startBytes())
        .text("-")
        .number(range.endBytes() - 1)
        .text("/")
        .number(sizeBytes)
        .text("\r\nContent-Length: ")
        .number(range.lengthBytes())
        .text("\r\n\r\n");
    int start = out.readerIndex() - head.lengthBytes();
    head.copyTo(out, start);
    out.readerIndex(start);
  }

  private void fix(String newDate, String newTag) {
    date = newDate;
    tag = newTag;
    head.from(0)
        .text("HTTP/1.1 206 Partial Content\r\nDate: ")
        .text(date)
        .text("\r\nAccept-Ranges: bytes\r\nContent-Type: application/octet-stream")
        .text("\r\nCache-Control: no-store, no-transform\r\nETag: ")
        .text(tag)
        .text("\r\nContent-Range: bytes ");
    fixedBytes = head.lengthBytes();
  }
}

package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes the head of the answer to a read of one range: the fields, their spelling and order are
 * those of {@link ReadHandler}. One per event loop; the part that stays the same is kept.
 */
final class ReadHead {
  /** More than a head can have. */
  static final int BYTES_MAX = 512;

  private static final byte[] END = ascii("\r\n\r\n");

  private final byte[] bytes = new byte[BYTES_MAX];
  private String date = "";
  private String tag = "";
  private int fixedBytes;
  private int at;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Writes a head right before the payload.
   *
   * @param out its readable bytes are the payload, with at least {@link #BYTES_MAX} before them
   */
  void put(ByteBuf out, String newDate, String newTag, ByteRange range, long sizeBytes) {
    if (!newTag.equals(tag) || !newDate.equals(date)) {
      fix(newDate, newTag);
    }
    at = fixedBytes;
    number(range.startBytes());
    bytes[at++] = '-';
    number(range.endBytes() - 1);
    bytes[at++] = '/';
    number(sizeBytes);
    text("\r\nContent-Length: ");
    number(range.lengthBytes());
    System.arraycopy(END, 0, bytes, at, END.length);
    at += END.length;
    int start = out.readerIndex() - at;
    out.setBytes(start, bytes, 0, at);
    out.readerIndex(start);
  }

  private void fix(String newDate, String newTag) {
    date = newDate;
    tag = newTag;
    at = 0;
    text("HTTP/1.1 206 Partial Content\r\nDate: ");
    text(date);
    text("\r\nAccept-Ranges: bytes\r\nContent-Type: application/octet-stream");
    text("\r\nCache-Control: no-store, no-transform\r\nETag: ");
    text(tag);
    text("\r\nContent-Range: bytes ");
    fixedBytes = at;
  }

  @SuppressWarnings("deprecation") // The text is ASCII, and this is the copy without an encoder.
  private void text(String text) {
    text.getBytes(0, text.length(), bytes, at);
    at += text.length();
  }

  private void number(long value) {
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
  }
}

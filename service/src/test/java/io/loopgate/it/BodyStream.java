package io.loopgate.it;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The bytes of one body, framed by a length or by chunks; a premature end is an exception. */
final class BodyStream extends InputStream {
  private static final int CHUNK_LINE_LIMIT = 1024;

  private final InputStream in;
  private final boolean chunked;
  private long left;
  private boolean ended;
  private boolean inChunk;

  BodyStream(InputStream in, long length, boolean chunked) {
    this.in = in;
    this.chunked = chunked;
    left = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (left == 0 && chunked && !ended) {
      nextChunk();
    }
    if (left == 0) {
      return -1;
    }
    int count = in.read(into, offset, (int) Math.min(left, length));
    if (count < 0) {
      throw new EOFException("an answer broke off with at least " + left + " bytes missing");
    }
    left -= count;
    return count;
  }

  private void nextChunk() throws IOException {
    if (inChunk && !line().isEmpty()) {
      throw new IOException("a chunk does not end with CRLF");
    }
    inChunk = true;
    left = Long.parseLong(line().replaceFirst(";.*", "").strip(), 16);
    if (left == 0) {
      ended = true;
      String trailer = line();
      while (!trailer.isEmpty()) {
        trailer = line();
      }
    }
  }

  private String line() throws IOException {
    byte[] line = new byte[CHUNK_LINE_LIMIT];
    for (int at = 0; at < line.length; at++) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("an answer broke off between chunks");
      }
      if (next == '\n') {
        return new String(line, 0, at, StandardCharsets.ISO_8859_1).stripTrailing();
      }
      line[at] = (byte) next;
    }
    throw new IOException("a chunk line is too long");
  }
}

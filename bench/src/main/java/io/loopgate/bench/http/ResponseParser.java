package io.loopgate.bench.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads answers of HTTP/1.1, as many bytes at a time as there are. Only what a load generator
 * needs: the status, where the body ends, and whether the connection stays. For one thread;
 * allocates nothing.
 */
final class ResponseParser {
  /** Gets what was read. */
  interface Sink {
    /** The head of an answer is here. */
    void head(int status);

    /** Takes exactly so many bytes of the body. */
    void body(ByteBuf in, int length);

    /** The answer is complete. */
    void end(boolean keepAlive);
  }

  /** What is no answer of HTTP/1.1. */
  static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  private enum State {
    HEAD,
    BODY,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER
  }

  private static final int HEAD_BYTES_MAX = 16 << 10;

  /** A head is rarely longer, and more of the body would be copied in vain. */
  private static final int COPY_BYTES = 512;

  /** Names are compared without looking at where the head ends. */
  private static final int SLACK_BYTES = 64;

  private static final int STATUS_AT = 9;
  private static final int STATUS_END = 12;
  private static final int STATUS_OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final byte[] VERSION = bytes("HTTP/1.1 ");
  private static final byte[] LENGTH = bytes("content-length:");
  private static final byte[] ENCODING = bytes("transfer-encoding:");
  private static final byte[] CONNECTION = bytes("connection:");

  private final Sink sink;
  private final byte[] head = new byte[HEAD_BYTES_MAX + SLACK_BYTES];
  private int headLength;
  private State state = State.HEAD;
  private long left;
  private int lineLength;
  private boolean sizeEnded;
  private boolean chunked;
  private boolean keepAlive;

  ResponseParser(Sink sink) {
    this.sink = sink;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Tells whether nothing of an answer was read that has not ended. */
  boolean isBetweenAnswers() {
    return state == State.HEAD && headLength == 0;
  }

  /** Takes all bytes there are. */
  void read(ByteBuf in) {
    while (in.isReadable()) {
      switch (state) {
        case HEAD -> readHead(in);
        case BODY, CHUNK -> readBody(in);
        case CHUNK_SIZE -> readSize(in.readByte());
        case CHUNK_END -> {
          if (in.readByte() == '\n') {
            beginSize();
          }
        }
        case TRAILER -> readTrailer(in.readByte());
      }
    }
  }

  private void readHead(ByteBuf in) {
    int count = Math.min(COPY_BYTES, in.readableBytes());
    if (headLength + count > HEAD_BYTES_MAX) {
      throw new MalformedException("a head of more than " + HEAD_BYTES_MAX + " bytes");
    }
    in.getBytes(in.readerIndex(), head, headLength, count);
    int had = headLength;
    int end = endOfHead(Math.max(0, had - 3), had + count);
    if (end < 0) {
      headLength += count;
      in.skipBytes(count);
      return;
    }
    in.skipBytes(end - had);
    headLength = 0;
    headEnded(end);
  }

  /** Returns the index behind the empty line, or -1. */
  private int endOfHead(int from, int to) {
    for (int i = from; i + 3 < to; i++) {
      if (head[i] == '\r' && head[i + 1] == '\n' && head[i + 2] == '\r' && head[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private void headEnded(int end) {
    int status = status();
    long length = -1;
    chunked = false;
    keepAlive = true;
    int line = nextLine(0);
    while (head[line] != '\r') {
      if (startsWith(line, LENGTH)) {
        length = number(line + LENGTH.length);
      } else if (startsWith(line, ENCODING)) {
        chunked = contains(line, "chunked");
      } else if (startsWith(line, CONNECTION)) {
        keepAlive = !contains(line, "close");
      }
      line = nextLine(line);
    }
    if (status < STATUS_OK) {
      return;
    }
    sink.head(status);
    if (chunked) {
      beginSize();
    } else if (length > 0) {
      left = length;
      state = State.BODY;
    } else if (length == 0 || status == NO_CONTENT || status == NOT_MODIFIED) {
      end();
    } else {
      throw new MalformedException("an answer of " + end + " bytes does not tell its length");
    }
  }

  private int status() {
    if (!startsWith(0, VERSION)) {
      throw new MalformedException("an answer that does not begin with HTTP/1.1");
    }
    int status = 0;
    for (int i = STATUS_AT; i < STATUS_END; i++) {
      status = status * 10 + digit(head[i]);
    }
    return status;
  }

  private int nextLine(int from) {
    int at = from;
    while (head[at] != '\n') {
      at++;
    }
    return at + 1;
  }

  /** Compares without regard to case; the name to look for is in lower case. */
  private boolean startsWith(int from, byte[] name) {
    for (int i = 0; i < name.length; i++) {
      byte is = head[from + i];
      if (is != name[i] && (is | 0x20) != (name[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private boolean contains(int line, String word) {
    String text = new String(head, line, nextLine(line) - line, StandardCharsets.US_ASCII);
    return text.toLowerCase(Locale.ROOT).contains(word);
  }

  private long number(int from) {
    int at = from;
    while (head[at] == ' ' || head[at] == '\t') {
      at++;
    }
    long number = digit(head[at++]);
    while (head[at] >= '0' && head[at] <= '9') {
      number = number * 10 + digit(head[at++]);
    }
    return number;
  }

  private static int digit(byte character) {
    if (character < '0' || character > '9') {
      throw new MalformedException("no digit where there has to be one");
    }
    return character - '0';
  }

  private void readBody(ByteBuf in) {
    int length = (int) Math.min(left, in.readableBytes());
    left -= length;
    sink.body(in, length);
    if (left == 0) {
      if (state == State.CHUNK) {
        state = State.CHUNK_END;
      } else {
        end();
      }
    }
  }

  private void beginSize() {
    state = State.CHUNK_SIZE;
    left = 0;
    lineLength = 0;
    sizeEnded = false;
  }

  private void readSize(byte character) {
    if (character == '\n') {
      if (lineLength == 0) {
        throw new MalformedException("a chunk without a size");
      }
      state = left > 0 ? State.CHUNK : State.TRAILER;
      lineLength = 0;
      return;
    }
    int digit = Character.digit(character, 16);
    if (digit < 0 || sizeEnded) {
      sizeEnded = true;
      return;
    }
    lineLength++;
    if (left > Long.MAX_VALUE >> 8) {
      throw new MalformedException("a chunk that is too long");
    }
    left = left * 16 + digit;
  }

  private void readTrailer(byte character) {
    if (character == '\n') {
      if (lineLength == 0) {
        end();
      }
      lineLength = 0;
    } else if (character != '\r') {
      lineLength++;
    }
  }

  private void end() {
    state = State.HEAD;
    sink.end(keepAlive);
  }
}

package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Looks at the head of an HTTP/1.1 request in its bytes: where the request ends, and whether it is
 * a plain read of one range. One per event loop, used again and again; allocates nothing.
 *
 * <p>It understands less than HTTP allows, on purpose. What it takes as {@link Kind#FRAMED} has one
 * meaning only (RFC 9112, 6.3), so that this view of where a message ends can never differ from
 * that of the parser behind it; all else is {@link Kind#FOREIGN}.
 */
final class RequestHead {
  /** What the bytes are. */
  enum Kind {
    /** It needs a real parser: nothing is known of what follows. */
    FOREIGN,

    /** The beginning of a head, so far with one meaning only. */
    PARTIAL,

    /** A request whose length is certain. */
    FRAMED,

    /** A GET of one range of a volume's data, and no field that asks for more. */
    READ
  }

  private static final int HEAD_BYTES_MAX = 2048;
  private static final byte[] READ_BEGIN = ascii("GET /v1/volumes/");
  private static final byte[] READ_END = ascii("/data HTTP/1.1\r\n");
  private static final byte[] PRI = ascii("PRI ");
  private static final byte[] LINE_END = ascii(" HTTP/1.1\r\n");
  private static final byte[] BYTES_UNIT = ascii("bytes=");

  /** Those that change what a message is, or how long. */
  private static final byte[][] FOREIGN_FIELDS = {
    ascii("transfer-encoding"), ascii("upgrade"), ascii("http2-settings"), ascii("expect")
  };

  /** Those that have no bearing on the answer to a read. */
  private static final byte[][] PASSIVE_FIELDS = {
    ascii("user-agent"),
    ascii("accept"),
    ascii("accept-encoding"),
    ascii("accept-language"),
    ascii("x-forwarded-for"),
    ascii("x-forwarded-host"),
    ascii("x-forwarded-proto"),
    ascii("x-real-ip")
  };

  private static final byte[] HOST = ascii("host");
  private static final byte[] RANGE = ascii("range");
  private static final byte[] CONNECTION = ascii("connection");
  private static final byte[] KEEP_ALIVE = ascii("keep-alive");
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final boolean[] TOKEN = tokenBytes();

  private final byte[] bytes = new byte[HEAD_BYTES_MAX];
  private int end;
  private int at;
  private int idFrom;
  private int idTo;
  private long bodyBytes;
  private long firstByte;
  private long lastByte;
  private int hosts;
  private int ranges;
  private boolean plain;
  private boolean foreign;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean[] tokenBytes() {
    boolean[] token = new boolean[128];
    for (int c = '!'; c < 127; c++) {
      token[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
    return token;
  }

  /** Looks at the readable bytes and leaves them as they are. */
  Kind parse(ByteBuf in) {
    end = Math.min(in.readableBytes(), HEAD_BYTES_MAX);
    in.getBytes(in.readerIndex(), bytes, 0, end);
    at = 0;
    bodyBytes = -1;
    hosts = 0;
    ranges = 0;
    plain = true;
    foreign = false;
    boolean read = isReadLine();
    if (!read && !isRequestLine()) {
      return broken();
    }
    while (at < end && bytes[at] != '\r') {
      if (!field()) {
        return broken();
      }
    }
    if (!lineEnds()) {
      return broken();
    }
    boolean wanted = read && plain && hosts == 1 && ranges == 1 && bodyBytes < 0;
    return wanted ? Kind.READ : Kind.FRAMED;
  }

  /** Where reading stopped there is something else than expected, or just nothing more. */
  private Kind broken() {
    boolean ranOut = at == end || (at == end - 1 && bytes[at] == '\r');
    return ranOut && !foreign && end < HEAD_BYTES_MAX ? Kind.PARTIAL : Kind.FOREIGN;
  }

  private boolean isReadLine() {
    if (!startsWith(0, READ_BEGIN)) {
      return false;
    }
    idFrom = READ_BEGIN.length;
    idTo = idFrom;
    while (idTo < end && isIdByte(bytes[idTo])) {
      idTo++;
    }
    if (idTo == idFrom || !startsWith(idTo, READ_END)) {
      return false;
    }
    at = idTo + READ_END.length;
    return true;
  }

  private static boolean isIdByte(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_' || b == '.';
  }

  private boolean isRequestLine() {
    at = 0;
    while (at < end && bytes[at] >= 'A' && bytes[at] <= 'Z') {
      at++;
    }
    // CONNECT makes a tunnel, PRI begins HTTP/2.
    if (at == 0 || at == end || bytes[at] != ' ' || bytes[0] == 'C' || startsWith(0, PRI)) {
      return false;
    }
    at++;
    int from = at;
    while (at < end && bytes[at] > ' ' && bytes[at] != 127) {
      at++;
    }
    return at > from && skip(LINE_END);
  }

  /** Reads one line; false if it is not one that has one meaning only. */
  private boolean field() {
    int nameFrom = at;
    while (at < end && bytes[at] >= 0 && TOKEN[bytes[at]]) {
      at++;
    }
    int nameTo = at;
    if (nameTo == nameFrom || at == end || bytes[at] != ':') {
      return false;
    }
    at++;
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    int from = at;
    while (at < end && isText(bytes[at])) {
      at++;
    }
    int to = at;
    while (to > from && isBlank(bytes[to - 1])) {
      to--;
    }
    if (!lineEnds()) {
      return false;
    }
    foreign = !take(nameFrom, nameTo, from, to);
    return !foreign;
  }

  private static boolean isText(byte b) {
    return (b >= ' ' && b != 127) || b == '\t';
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  private boolean lineEnds() {
    if (at + 1 >= end || bytes[at] != '\r' || bytes[at + 1] != '\n') {
      return false;
    }
    at += 2;
    return true;
  }

  private boolean take(int nameFrom, int nameTo, int from, int to) {
    if (is(nameFrom, nameTo, HOST)) {
      hosts++;
      plain &= isHost(from, to);
    } else if (is(nameFrom, nameTo, RANGE)) {
      ranges++;
      plain &= range(from, to);
    } else if (is(nameFrom, nameTo, CONNECTION)) {
      plain &= is(from, to, KEEP_ALIVE);
    } else if (is(nameFrom, nameTo, CONTENT_LENGTH)) {
      return bodyBytes < 0 && length(from, to);
    } else if (isOneOf(nameFrom, nameTo, FOREIGN_FIELDS)) {
      return false;
    } else {
      plain &= isOneOf(nameFrom, nameTo, PASSIVE_FIELDS);
    }
    return true;
  }

  /** A name or address with a port or without; others are for those who know what to say. */
  private boolean isHost(int from, int to) {
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      boolean letter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
      if (!letter && (b < '0' || b > ':') && "-._[]".indexOf(b) < 0) {
        return false;
      }
    }
    return to > from;
  }

  private boolean length(int from, int to) {
    bodyBytes = number(from, to);
    return bodyBytes >= 0;
  }

  private boolean range(int from, int to) {
    if (to - from <= BYTES_UNIT.length || !startsWith(from, BYTES_UNIT)) {
      return false;
    }
    int start = from + BYTES_UNIT.length;
    int dash = start;
    while (dash < to && bytes[dash] != '-') {
      dash++;
    }
    firstByte = number(start, dash);
    lastByte = dash < to ? number(dash + 1, to) : -1;
    return firstByte >= 0 && lastByte >= firstByte;
  }

  /** Returns a decimal number of at most 18 digits, or -1. */
  private long number(int from, int to) {
    if (to <= from || to - from > 18) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Goes past a text, or to the first byte that differs from it. */
  private boolean skip(byte[] text) {
    int from = at;
    while (at < end && at - from < text.length && bytes[at] == text[at - from]) {
      at++;
    }
    return at - from == text.length;
  }

  private boolean startsWith(int from, byte[] text) {
    return end - from >= text.length
        && Arrays.equals(bytes, from, from + text.length, text, 0, text.length);
  }

  private boolean isOneOf(int from, int to, byte[][] names) {
    for (byte[] name : names) {
      if (is(from, to, name)) {
        return true;
      }
    }
    return false;
  }

  /** Compares with a text in lower case, whatever the case here. */
  private boolean is(int from, int to, byte[] lower) {
    if (to - from != lower.length) {
      return false;
    }
    for (int i = 0; i < lower.length; i++) {
      byte b = bytes[from + i];
      if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != lower[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns how long the head is, with the empty line at its end; unless foreign. */
  int headBytes() {
    return at;
  }

  /** Returns how long the whole request is; unless foreign. */
  long requestBytes() {
    return at + Math.max(0, bodyBytes);
  }

  /** Tells whether a read is of this volume. */
  boolean names(byte[] id) {
    return Arrays.equals(bytes, idFrom, idTo, id, 0, id.length);
  }

  /** Returns the id of the volume of a read. */
  String id() {
    return new String(bytes, idFrom, idTo - idFrom, StandardCharsets.US_ASCII);
  }

  /** Returns the first byte of a read. */
  long firstByte() {
    return firstByte;
  }

  /** Returns the last byte of a read as it was asked for; it may lie past the end. */
  long lastByte() {
    return lastByte;
  }
}

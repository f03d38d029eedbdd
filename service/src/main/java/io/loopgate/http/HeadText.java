package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of the head of a request, and a place among them that moves on as they are understood.
 * Used again and again; allocates nothing.
 */
final class HeadText {
  /** As much as is ever looked at. */
  static final int BYTES_MAX = 2048;

  private static final byte[] LINE_END = ascii(" HTTP/1.1\r\n");
  private static final byte[] PRI = ascii("PRI");
  private static final boolean[] TOKEN = tokenBytes();

  private final byte[] bytes = new byte[BYTES_MAX];
  private int end;
  private int at;
  private int nameFrom;
  private int nameTo;
  private int valueFrom;
  private int valueTo;

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static boolean[] tokenBytes() {
    boolean[] token = new boolean[128];
    for (int c = '!'; c < 127; c++) {
      token[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
    return token;
  }

  /** Takes a copy of the readable bytes, as many as there is room for, and begins at the first. */
  void load(ByteBuf in) {
    end = Math.min(in.readableBytes(), BYTES_MAX);
    in.getBytes(in.readerIndex(), bytes, 0, end);
    at = 0;
  }

  int at() {
    return at;
  }

  /** Tells whether the bytes end here, or could: a line end may have been cut in two. */
  boolean ranOut() {
    return end < BYTES_MAX && (at == end || (at == end - 1 && bytes[at] == '\r'));
  }

  /** Tells whether a field begins here, not the line end behind the last one. */
  boolean isAtField() {
    return at < end && bytes[at] != '\r';
  }

  /** Goes past a line end, if one is here. */
  boolean lineEnds() {
    if (at + 1 >= end || bytes[at] != '\r' || bytes[at + 1] != '\n') {
      return false;
    }
    at += 2;
    return true;
  }

  /** Goes past a text, or to the first byte that differs from it. */
  boolean skip(byte[] text) {
    int from = at;
    while (at < end && at - from < text.length && bytes[at] == text[at - from]) {
      at++;
    }
    return at - from == text.length;
  }

  /** Goes past a text, if it is here, and else nowhere. */
  boolean skipWhole(byte[] text) {
    if (!startsWith(at, text)) {
      return false;
    }
    at += text.length;
    return true;
  }

  /** Goes past the bytes of a volume's id; returns whether there is one. */
  boolean skipId() {
    int from = at;
    while (at < end && isIdByte(bytes[at])) {
      at++;
    }
    return at > from;
  }

  private static boolean isIdByte(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '-' || b == '_' || b == '.';
  }

  /** Goes past digits; returns their value, or -1 if there are none or more than 18. */
  long skipNumber() {
    int from = at;
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    return number(from, at);
  }

  /**
   * Goes past a request line of any method and target that mean one request; where it is none, or
   * not whole, to the byte that says so.
   */
  boolean skipRequestLine() {
    at = 0;
    while (at < end && bytes[at] >= 'A' && bytes[at] <= 'Z') {
      at++;
    }
    // CONNECT makes a tunnel, PRI begins HTTP/2.
    boolean other = at > 0 && (bytes[0] == 'C' || (at == 3 && startsWith(0, PRI)));
    if (at == 0 || at == end || bytes[at] != ' ' || other) {
      return false;
    }
    at++;
    int from = at;
    while (at < end && bytes[at] > ' ' && bytes[at] != 127) {
      at++;
    }
    return at > from && skip(LINE_END);
  }

  /** Goes past one field line; false, and not past it, if it has more than one meaning or none. */
  boolean skipField() {
    nameFrom = at;
    while (at < end && bytes[at] >= 0 && TOKEN[bytes[at]]) {
      at++;
    }
    nameTo = at;
    if (nameTo == nameFrom || at == end || bytes[at] != ':') {
      return false;
    }
    at++;
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    valueFrom = at;
    while (at < end && isText(bytes[at])) {
      at++;
    }
    valueTo = at;
    while (valueTo > valueFrom && isBlank(bytes[valueTo - 1])) {
      valueTo--;
    }
    return lineEnds();
  }

  private static boolean isText(byte b) {
    return (b >= ' ' && b != 127) || b == '\t';
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t';
  }

  /** Compares the name of the field with one in lower case, whatever its own case. */
  boolean isNamed(byte[] lower) {
    return is(nameFrom, nameTo, lower);
  }

  /** Compares the value of the field with one in lower case, whatever its own case. */
  boolean hasValue(byte[] lower) {
    return is(valueFrom, valueTo, lower);
  }

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

  /** Tells whether the value is a host's name or address, with a port or without. */
  boolean hasHost() {
    for (int i = valueFrom; i < valueTo; i++) {
      byte b = bytes[i];
      boolean letter = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z');
      if (!letter && (b < '0' || b > ':') && "-._[]".indexOf(b) < 0) {
        return false;
      }
    }
    return valueTo > valueFrom;
  }

  /** Returns the value of the field as a number of at most 18 digits, or -1. */
  long valueNumber() {
    return number(valueFrom, valueTo);
  }

  /** Returns where in the value behind a text a byte stands first; the value's end if nowhere. */
  int find(byte[] behind, char wanted) {
    int found = valueFrom + behind.length;
    while (found < valueTo && bytes[found] != wanted) {
      found++;
    }
    return found;
  }

  /** Tells whether the value begins with a text and goes on. */
  boolean valueStartsWith(byte[] text) {
    return valueTo - valueFrom > text.length && startsWith(valueFrom, text);
  }

  int valueFrom() {
    return valueFrom;
  }

  int valueTo() {
    return valueTo;
  }

  /** Returns the number between two places, of at most 18 digits, or -1. */
  long number(int from, int to) {
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

  /** Tells whether one byte stands between two places, and is this one. */
  boolean isOnly(int from, int to, char wanted) {
    return to - from == 1 && bytes[from] == wanted;
  }

  private boolean startsWith(int from, byte[] text) {
    return end - from >= text.length
        && Arrays.equals(bytes, from, from + text.length, text, 0, text.length);
  }

  /** Tells whether a text stands between two places. */
  boolean isText(int from, int to, byte[] text) {
    return Arrays.equals(bytes, from, to, text, 0, text.length);
  }

  /** Returns the text between two places. */
  String text(int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.US_ASCII);
  }
}

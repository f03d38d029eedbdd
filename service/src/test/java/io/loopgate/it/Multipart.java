package io.loopgate.it;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes a multipart/byteranges body apart, trusting each part's Content-Range for its length. */
final class Multipart {
  private static final Pattern BOUNDARY =
      Pattern.compile("multipart/byteranges\\s*;\\s*boundary=\"?([^\";\\s]+)\"?");
  private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");

  private final byte[] body;
  private int at;

  private Multipart(byte[] body) {
    this.body = body;
  }

  /** One range of an answer. */
  static final class Part {
    private final String contentRange;
    private final long start;
    private final byte[] bytes;

    private Part(String contentRange, long start, byte[] bytes) {
      this.contentRange = contentRange;
      this.start = start;
      this.bytes = bytes;
    }

    String contentRange() {
      return contentRange;
    }

    long start() {
      return start;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /** Returns the parts in their order; fails the test when the body is not well formed. */
  static List<Part> parse(String contentType, byte[] body) {
    Matcher boundary = BOUNDARY.matcher(contentType);
    if (!boundary.find()) {
      throw new AssertionError("no boundary in " + contentType);
    }
    return new Multipart(body).parts("--" + boundary.group(1));
  }

  private List<Part> parts(String delimiter) {
    var parts = new ArrayList<Part>();
    String line = line();
    if (line.isEmpty()) {
      line = line();
    }
    while (line.equals(delimiter)) {
      parts.add(part());
      if (!line().isEmpty()) {
        throw new AssertionError("a part is longer than its Content-Range");
      }
      line = line();
    }
    if (!line.equals(delimiter + "--")) {
      throw new AssertionError("not a delimiter: " + line);
    }
    return parts;
  }

  private Part part() {
    String range = "";
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-range:")) {
        range = line.substring("content-range:".length()).strip();
      }
    }
    Matcher numbers = RANGE.matcher(range);
    if (!numbers.matches()) {
      throw new AssertionError("not a Content-Range: " + range);
    }
    long start = Long.parseLong(numbers.group(1));
    int length = Math.toIntExact(Long.parseLong(numbers.group(2)) - start + 1);
    byte[] bytes = Arrays.copyOfRange(body, at, at + length);
    at += length;
    return new Part(range, start, bytes);
  }

  private String line() {
    int from = at;
    while (at < body.length && body[at] != '\n') {
      at++;
    }
    String line = new String(body, from, at - from, StandardCharsets.ISO_8859_1);
    at = Math.min(body.length, at + 1);
    return line.stripTrailing();
  }
}

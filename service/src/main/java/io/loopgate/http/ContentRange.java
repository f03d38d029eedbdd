package io.loopgate.http;

/**
 * The {@code Content-Range} of a PUT: where its body goes.
 *
 * @param startBytes the first byte
 * @param lastBytes the last byte, included
 * @param totalBytes what it says the whole is, or {@link #ANY_TOTAL} for a star
 */
record ContentRange(long startBytes, long lastBytes, long totalBytes) {
  static final long ANY_TOTAL = -1;
  private static final String PREFIX = "bytes ";

  /** Returns how long it says the body is; {@link Long#MAX_VALUE} for a range that cannot exist. */
  long lengthBytes() {
    return lastBytes == Long.MAX_VALUE ? Long.MAX_VALUE : lastBytes - startBytes + 1;
  }

  /**
   * Reads a field value: {@code bytes a-b/total} or {@code bytes a-b/*}.
   *
   * @param lenient any total is taken, also a negative one
   * @throws ProblemException 400 for everything else
   */
  static ContentRange parse(String value, boolean lenient) {
    if (!value.regionMatches(true, 0, PREFIX, 0, PREFIX.length())) {
      throw bad(value);
    }
    int dash = value.indexOf('-', PREFIX.length());
    int slash = value.indexOf('/', PREFIX.length());
    if (dash < 0 || slash < dash) {
      throw bad(value);
    }
    long start = Numbers.parse(value, PREFIX.length(), dash);
    long last = Numbers.parse(value, dash + 1, slash);
    long total = total(value.substring(slash + 1), lenient);
    if (start == Numbers.NONE || last == Numbers.NONE || last < start) {
      throw bad(value);
    }
    if (total == Numbers.NONE - 1) {
      throw bad(value);
    }
    return new ContentRange(start, last, total);
  }

  private static long total(String text, boolean lenient) {
    if (text.equals("*") || (lenient && text.equals("-1"))) {
      return ANY_TOTAL;
    }
    long total = Numbers.parse(text);
    if (total == Numbers.NONE) {
      return Numbers.NONE - 1;
    }
    return lenient ? ANY_TOTAL : total;
  }

  private static ProblemException bad(String value) {
    return ProblemException.badRange(
        "Content-Range \"" + value + "\" is not of the form \"bytes a-b/size\" or \"bytes a-b/*\"");
  }
}

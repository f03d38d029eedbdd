package io.loopgate.http;

/** Reads decimal numbers from header fields and queries: digits alone, no sign, no overflow. */
final class Numbers {
  /** What {@link #parse} answers for a text that is no number. */
  static final long NONE = -1;

  private static final int SAFE_DIGITS = 18;

  private Numbers() {}

  /**
   * Returns the number in {@code text[from, to)}, {@link Long#MAX_VALUE} for one above it, or
   * {@link #NONE}.
   */
  static long parse(CharSequence text, int from, int to) {
    if (from >= to) {
      return NONE;
    }
    int start = from;
    while (start < to - 1 && text.charAt(start) == '0') {
      start++;
    }
    boolean large = to - start > SAFE_DIGITS;
    long value = 0;
    for (int i = start; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return NONE;
      }
      if (!large) {
        value = value * 10 + digit;
      }
    }
    return large ? parseLarge(text.subSequence(start, to).toString()) : value;
  }

  static long parse(CharSequence text) {
    return parse(text, 0, text.length());
  }

  private static long parseLarge(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }
}

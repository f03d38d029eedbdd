package io.loopgate.http;

import org.jspecify.annotations.Nullable;

/** Compares entity tags as RFC 9110, 8.8.3.2 and 13.1 say. */
final class EntityTags {
  private EntityTags() {}

  /** Tells whether {@code field} is a star, or names {@code current} by strong comparison. */
  static boolean matchesStrongly(String field, String current) {
    return field.strip().equals("*") || lists(field, current, false);
  }

  /** Tells whether {@code field} is a star, or names {@code current} by weak comparison. */
  static boolean matchesWeakly(String field, String current) {
    return field.strip().equals("*") || lists(field, current, true);
  }

  /**
   * Tells whether an {@code If-Range} lets the range apply: one strong tag, the current one. A date
   * never does.
   */
  static boolean ifRangeHolds(@Nullable String field, String current) {
    return field == null || field.strip().equals(current);
  }

  /**
   * Tags hold no commas of ours, but those of others may: so it looks for quotes, not for commas.
   */
  private static boolean lists(String field, String current, boolean weak) {
    int position = 0;
    while (true) {
      int open = field.indexOf('"', position);
      if (open < 0) {
        return false;
      }
      int close = field.indexOf('"', open + 1);
      if (close < 0) {
        return false;
      }
      boolean isWeak = open >= 2 && field.startsWith("W/", open - 2);
      if ((weak || !isWeak) && field.substring(open, close + 1).equals(current)) {
        return true;
      }
      position = close + 1;
    }
  }
}

package io.loopgate.config;

import java.util.Collection;
import java.util.Comparator;

/** Finds what a user probably meant. */
public final class Nearest {
  private Nearest() {}

  /**
   * Returns the candidate with the least edit distance, or the text when there is no candidate.
   * Case, hyphens and underscores do not count: {@code block-size} is near {@code blockSize}.
   */
  public static String to(String text, Collection<String> candidates) {
    String wanted = fold(text);
    return candidates.stream()
        .min(Comparator.comparingInt(candidate -> distance(wanted, fold(candidate))))
        .orElse(text);
  }

  private static String fold(String text) {
    // A name longer than this is near nothing, and the distance costs the product of the lengths.
    String head = text.length() > 100 ? text.substring(0, 100) : text;
    return Values.lowerCase(head).replace("-", "").replace("_", "");
  }

  /** Counts insertions, removals, replacements and swaps of neighbours. */
  static int distance(String left, String right) {
    int[] beforePrevious = new int[right.length() + 1];
    int[] previous = new int[right.length() + 1];
    int[] current = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
        if (i > 1
            && j > 1
            && left.charAt(i - 1) == right.charAt(j - 2)
            && left.charAt(i - 2) == right.charAt(j - 1)) {
          current[j] = Math.min(current[j], 1 + beforePrevious[j - 2]);
        }
      }
      int[] spare = beforePrevious;
      beforePrevious = previous;
      previous = current;
      current = spare;
    }
    return previous[right.length()];
  }
}

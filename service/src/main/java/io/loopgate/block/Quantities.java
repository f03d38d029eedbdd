package io.loopgate.block;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts as users write them: a whole number and a unit, exact or refused. Any thread. */
public final class Quantities {
  private static final Pattern AMOUNT = Pattern.compile("([0-9]+) ?([A-Za-z]*)");
  private static final Map<String, Long> SIZES = new LinkedHashMap<>();
  private static final String[] BINARY = {"PiB", "TiB", "GiB", "MiB", "KiB"};

  /** Longer texts are cut in messages: a whole file given by mistake should not fill the screen. */
  private static final int LONGEST_QUOTE_CHARS = 120;

  static {
    SIZES.put("B", 1L);
    SIZES.put("KiB", 1L << 10);
    SIZES.put("MiB", 1L << 20);
    SIZES.put("GiB", 1L << 30);
    SIZES.put("TiB", 1L << 40);
    SIZES.put("PiB", 1L << 50);
    SIZES.put("KB", 1_000L);
    SIZES.put("MB", 1_000_000L);
    SIZES.put("GB", 1_000_000_000L);
    SIZES.put("TB", 1_000_000_000_000L);
    SIZES.put("PB", 1_000_000_000_000_000L);
  }

  private Quantities() {}

  /**
   * Parses a size such as {@code 64KiB} or {@code 10MB}; the case of the unit does not matter.
   *
   * @throws IllegalArgumentException when it has no unit or more than 63 bits
   */
  public static long parseBytes(String text) {
    return parse(text, "size", SIZES, "64KiB");
  }

  /** Returns the size in the largest binary unit that is exact. */
  public static String formatBytes(long bytes) {
    for (String unit : BINARY) {
      long factor = SIZES.getOrDefault(unit, 1L);
      if (bytes != 0 && bytes % factor == 0) {
        return bytes / factor + unit;
      }
    }
    return bytes + "B";
  }

  /**
   * Parses an amount of any kind.
   *
   * @param kind what it is, for messages
   * @param units the factor of each unit
   * @throws IllegalArgumentException when it is none, or has more than 63 bits
   */
  public static long parse(String text, String kind, Map<String, Long> units, String example) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches()) {
      throw new IllegalArgumentException(
          quote(text)
              + " is not a "
              + kind
              + ": a whole number and a unit, for example "
              + example);
    }
    String unit = amount.group(2);
    if (unit.isEmpty()) {
      throw new IllegalArgumentException(quote(text) + " needs a unit, for example " + example);
    }
    for (Map.Entry<String, Long> candidate : units.entrySet()) {
      if (candidate.getKey().equalsIgnoreCase(unit)) {
        return multiply(text, amount.group(1), candidate.getValue());
      }
    }
    throw new IllegalArgumentException(
        quote(text)
            + " has no known unit: "
            + String.join(", ", units.keySet())
            + ", for example "
            + example);
  }

  private static long multiply(String text, String number, long factor) {
    try {
      return Math.multiplyExact(Long.parseLong(number), factor);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(quote(text) + " is too large", e);
    }
  }

  /** Returns a user's text in quotes for a message, shortened. */
  public static String quote(String text) {
    String shown =
        text.length() <= LONGEST_QUOTE_CHARS
            ? text
            : text.substring(0, LONGEST_QUOTE_CHARS) + "...";
    return '"' + shown + '"';
  }
}

package io.loopgate.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as users write them: a whole number and a unit, exact or refused. */
public final class Units {
  private static final Pattern AMOUNT = Pattern.compile("([0-9]+) ?([A-Za-z]*)");
  private static final Map<String, Long> SIZES = new LinkedHashMap<>();
  private static final Map<String, Long> DURATIONS = new LinkedHashMap<>();
  private static final String[] BINARY = {"PiB", "TiB", "GiB", "MiB", "KiB"};

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
    DURATIONS.put("ms", 1L);
    DURATIONS.put("s", 1_000L);
    DURATIONS.put("m", 60_000L);
    DURATIONS.put("h", 3_600_000L);
  }

  private Units() {}

  /**
   * Parses a size such as {@code 64KiB} or {@code 10MB}; the case of the unit does not matter.
   *
   * @throws IllegalArgumentException when it has no unit or more than 63 bits
   */
  public static long parseBytes(String text) {
    return parse(text, "size", SIZES, "64KiB");
  }

  /** Parses a size; a bare number is bytes. */
  static long parseBytesOrNumber(String text) {
    return text.matches("[0-9]+") ? Values.wholeNumber(text) : parseBytes(text);
  }

  /**
   * Parses a duration such as {@code 30s} or {@code 500ms}.
   *
   * @throws IllegalArgumentException when it has no unit or more milliseconds than 63 bits hold
   */
  public static Duration parseDuration(String text) {
    return Duration.ofMillis(parse(text, "duration", DURATIONS, "30s"));
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

  /** Returns the duration in seconds, or in milliseconds when it is not whole seconds. */
  public static String formatDuration(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }

  private static long parse(String text, String kind, Map<String, Long> units, String example) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches()) {
      throw new IllegalArgumentException(
          Quoting.quote(text)
              + " is not a "
              + kind
              + ": a whole number and a unit, for example "
              + example);
    }
    String unit = amount.group(2);
    if (unit.isEmpty()) {
      throw new IllegalArgumentException(
          Quoting.quote(text) + " needs a unit, for example " + example);
    }
    for (Map.Entry<String, Long> candidate : units.entrySet()) {
      if (candidate.getKey().equalsIgnoreCase(unit)) {
        return multiply(text, amount.group(1), candidate.getValue());
      }
    }
    throw new IllegalArgumentException(
        Quoting.quote(text)
            + " has no known unit: "
            + String.join(", ", units.keySet())
            + ", for example "
            + example);
  }

  private static long multiply(String text, String number, long factor) {
    try {
      return Math.multiplyExact(Long.parseLong(number), factor);
    } catch (NumberFormatException | ArithmeticException e) {
      throw new IllegalArgumentException(Quoting.quote(text) + " is too large", e);
    }
  }
}

package io.loopgate.config;

import io.loopgate.block.Quantities;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sizes and durations as users write them: a whole number and a unit, exact or refused. */
public final class Units {
  private static final Map<String, Long> DURATIONS = new LinkedHashMap<>();

  static {
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
    return Quantities.parseBytes(text);
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
    return Duration.ofMillis(Quantities.parse(text, "duration", DURATIONS, "30s"));
  }

  /** Returns the size in the largest binary unit that is exact. */
  public static String formatBytes(long bytes) {
    return Quantities.formatBytes(bytes);
  }

  /** Returns the duration in seconds, or in milliseconds when it is not whole seconds. */
  public static String formatDuration(Duration duration) {
    long millis = duration.toMillis();
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }
}

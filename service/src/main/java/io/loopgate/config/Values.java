package io.loopgate.config;

import io.loopgate.engine.EngineSpec;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Parsers of single values; what they refuse is an {@link IllegalArgumentException}. */
final class Values {
  private Values() {}

  static String lowerCase(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  static Path path(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("is empty: name a path, for example ./data");
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          Quoting.quote(text) + " is not a path: " + e.getReason(), e);
    }
  }

  static boolean bool(String text) {
    return switch (text) {
      case "true", "on", "yes" -> true;
      case "false", "off", "no" -> false;
      default -> throw new IllegalArgumentException(Quoting.quote(text) + " is neither on nor off");
    };
  }

  static long wholeNumber(String text) {
    if (!text.matches("[0-9]+")) {
      throw new IllegalArgumentException(
          Quoting.quote(text) + " is not a whole number, for example 4");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(Quoting.quote(text) + " is too large", e);
    }
  }

  static int smallNumber(String text) {
    return toInt(wholeNumber(text), text);
  }

  /** Parses a size that has to fit 31 bits. */
  static int smallBytes(String text) {
    return toInt(Units.parseBytes(text), text);
  }

  /** Parses a size that has to fit 31 bits; a bare number is bytes. */
  static int smallBytesOrNumber(String text) {
    return toInt(Units.parseBytesOrNumber(text), text);
  }

  static String engine(String text) {
    EngineSpec spec = EngineSpec.parse(text);
    if (spec.name().isEmpty()) {
      throw new IllegalArgumentException(
          Quoting.quote(text) + " names no engine, for example auto or workers:4");
    }
    return spec.toString();
  }

  /** Returns the constant whose name in lower case is the text. */
  static <E extends Enum<E>> E choice(E[] constants, String text) {
    for (E constant : constants) {
      if (name(constant).equals(text)) {
        return constant;
      }
    }
    List<String> names = Arrays.stream(constants).map(Values::name).toList();
    throw new IllegalArgumentException(
        Quoting.quote(text)
            + " is none of "
            + String.join(", ", names)
            + "; the nearest is "
            + Nearest.to(text, names));
  }

  /** Returns how users write the constant. */
  static String name(Enum<?> constant) {
    return lowerCase(constant.name());
  }

  private static int toInt(long number, String text) {
    if (number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(Quoting.quote(text) + " is too large");
    }
    return (int) number;
  }
}

package io.loopgate.config;

import java.util.function.Function;

/**
 * A value as its user wrote it.
 *
 * @param text what was written
 * @param origin where
 */
record RawValue(String text, Origin origin) {
  /** Parses the text; what the parser dislikes becomes a message that names the origin. */
  <T> T parse(Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(origin, String.valueOf(e.getMessage()), e);
    }
  }
}

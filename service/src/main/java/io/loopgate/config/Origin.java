package io.loopgate.config;

import java.nio.file.Path;

/**
 * Where a value came from.
 *
 * @param place the flag, the variable, or file and line
 * @param subject how a message about the value begins: the place and, if it does not show in it,
 *     the key
 */
record Origin(String place, String subject) {
  /** The place of a value that nobody gave. */
  static final String DEFAULT = "default";

  static Origin defaults(ConfigKey key) {
    return new Origin(DEFAULT, key.key() + " (default)");
  }

  static Origin flag(ConfigKey key) {
    return new Origin(key.flag(), key.flag());
  }

  static Origin variable(String name) {
    return new Origin(name, name);
  }

  static Origin file(Path file) {
    return new Origin(file.toString(), file.toString());
  }

  static Origin line(Path file, int line) {
    String place = file + ":" + line;
    return new Origin(place, place);
  }

  /** Returns the same place for a message about this part of it. */
  Origin about(String part) {
    return new Origin(place, subject + ": " + part);
  }
}

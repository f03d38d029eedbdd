package io.loopgate.bench.peer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What stands behind the name of a contender: {@code name/option=value/option=value}.
 *
 * @param text as the user wrote it
 * @param name what stands before the first slash
 * @param values by option, in the order given
 */
record PeerOptions(String text, String name, Map<String, String> values) {
  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException if an option has no value, or comes twice
   */
  static PeerOptions parse(String text) {
    String[] parts = text.split("/", -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals <= 0 || equals == parts[i].length() - 1) {
        throw new IllegalArgumentException(
            "options of a contender are /NAME=VALUE, not \"/" + parts[i] + "\"");
      }
      if (values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1)) != null) {
        throw new IllegalArgumentException("an option comes twice in \"" + text + "\"");
      }
    }
    return new PeerOptions(text, parts[0], values);
  }

  /**
   * Refuses what is no option of this contender.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  PeerOptions only(String... valid) {
    for (String option : values.keySet()) {
      if (!Set.of(valid).contains(option)) {
        throw new IllegalArgumentException(
            name + " has the options " + String.join(", ", valid) + ", not \"" + option + "\"");
      }
    }
    return this;
  }

  String get(String option, String otherwise) {
    return values.getOrDefault(option, otherwise);
  }

  /**
   * Returns a switch.
   *
   * @throws IllegalArgumentException if it is neither on nor off
   */
  boolean isOn(String option, boolean otherwise) {
    return switch (get(option, otherwise ? "on" : "off")) {
      case "on" -> true;
      case "off" -> false;
      case String value ->
          throw new IllegalArgumentException(
              name + "/" + option + " is on or off, not \"" + value + "\"");
    };
  }

  /**
   * Returns a number.
   *
   * @throws IllegalArgumentException if it is none from 1 to 1024
   */
  int count(String option, int otherwise) {
    String value = get(option, Integer.toString(otherwise));
    if (!value.matches("[1-9][0-9]{0,3}") || Integer.parseInt(value) > 1024) {
      throw new IllegalArgumentException(
          name + "/" + option + " has to be 1 to 1024, not \"" + value + "\"");
    }
    return Integer.parseInt(value);
  }
}

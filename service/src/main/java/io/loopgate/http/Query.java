package io.loopgate.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request. What writes reads it strictly: a typo of {@code offset} must not write at
 * 0.
 */
final class Query {
  private static final Query EMPTY = new Query(Map.of());

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  /**
   * Reads a query of which only the {@code known} parameters may appear, each once and with a
   * value.
   */
  static Query strict(@Nullable String query, Set<String> known) {
    return parse(query, known, true);
  }

  /** Reads a query of which other parameters than the {@code known} ones are passed over. */
  static Query relaxed(@Nullable String query, Set<String> known) {
    return parse(query, known, false);
  }

  private static Query parse(@Nullable String query, Set<String> known, boolean strict) {
    if (query == null || query.isEmpty()) {
      return EMPTY;
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      if (!known.contains(name)) {
        if (strict) {
          throw ProblemException.badRequest(
              "unknown query parameter \""
                  + name
                  + "\"; known here: "
                  + known.stream().sorted().toList());
        }
        continue;
      }
      String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
      if (value.isEmpty()) {
        throw ProblemException.badRequest("query parameter \"" + name + "\" has no value");
      }
      if (values.put(name, value) != null) {
        throw ProblemException.badRequest("query parameter \"" + name + "\" is given twice");
      }
    }
    return new Query(values);
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ProblemException.badRequest("the query is not properly percent-encoded: " + text);
    }
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** Returns a whole number, or {@code absent}. */
  long number(String name, long absent, ProblemCode whenBad) {
    String value = values.get(name);
    if (value == null) {
      return absent;
    }
    long number = Numbers.parse(value);
    if (number == Numbers.NONE || number == Long.MAX_VALUE) {
      throw new ProblemException(
          Problem.of(
              whenBad,
              "query parameter "
                  + name
                  + "="
                  + value
                  + " is not a whole number of bytes in decimal"));
    }
    return number;
  }

  /** Returns whether a switch is on: {@code on} means yes, {@code off} no, all else is refused. */
  boolean flag(String name, String on, String off, boolean absent) {
    String value = values.get(name);
    if (value == null) {
      return absent;
    }
    if (value.equals(on)) {
      return true;
    }
    if (value.equals(off)) {
      return false;
    }
    throw ProblemException.badRequest(
        "query parameter " + name + "=" + value + " has to be " + on + " or " + off);
  }
}

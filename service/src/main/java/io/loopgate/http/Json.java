package io.loopgate.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Reads and writes the small JSON documents of the wire contract, strictly. Thread-safe. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(16)
                          .maxNumberLength(40)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  /** A member is missing, unknown, repeated or of the wrong type; the message names it. */
  static final class BadJson extends Exception {
    private static final long serialVersionUID = 1L;

    BadJson(String message) {
      super(message);
    }
  }

  private Json() {}

  static byte[] write(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree made here can be written", e);
    }
  }

  /** Reads an object that has no members but the allowed ones, each once. */
  static ObjectNode readObject(byte[] bytes, Set<String> allowed) throws BadJson {
    JsonNode node;
    try {
      node = MAPPER.readTree(bytes);
    } catch (IOException e) {
      throw new BadJson("the body is not valid JSON: " + firstLine(e));
    }
    if (!(node instanceof ObjectNode object)) {
      throw new BadJson("the body has to be a JSON object");
    }
    refuseUnknown(object, allowed);
    return object;
  }

  static void refuseUnknown(ObjectNode object, Set<String> allowed) throws BadJson {
    for (String name : (Iterable<String>) object::fieldNames) {
      if (!allowed.contains(name)) {
        throw new BadJson(
            "unknown member \"" + name + "\"; known are " + allowed.stream().sorted().toList());
      }
    }
  }

  private static String firstLine(IOException e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }

  static Optional<String> text(ObjectNode object, String name) throws BadJson {
    JsonNode value = object.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw new BadJson("\"" + name + "\" has to be a text");
    }
    return Optional.of(value.textValue());
  }

  static Optional<Boolean> bool(ObjectNode object, String name) throws BadJson {
    JsonNode value = object.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isBoolean()) {
      throw new BadJson("\"" + name + "\" has to be true or false");
    }
    return Optional.of(value.booleanValue());
  }

  /** Returns a whole number that is not negative. */
  static Optional<Long> number(ObjectNode object, String name) throws BadJson {
    JsonNode value = object.get(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new BadJson("\"" + name + "\" has to be a whole number from 0 to " + Long.MAX_VALUE);
    }
    return Optional.of(value.longValue());
  }

  static <T> T required(Optional<T> value, String name) throws BadJson {
    if (value.isEmpty()) {
      throw new BadJson("\"" + name + "\" is missing");
    }
    return value.get();
  }
}

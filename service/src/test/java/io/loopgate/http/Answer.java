package io.loopgate.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What came back.
 *
 * @param status the final status
 * @param fields the header fields by lower-case name
 * @param body the whole body
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Answer(int status, Map<String, List<String>> fields, byte[] body) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Returns a field that stands once, or an empty text. */
  String field(String name) {
    List<String> values = fields.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw new AssertionError(name + " stands more than once: " + values);
    }
    return values.isEmpty() ? "" : values.getFirst();
  }

  JsonNode json() {
    try {
      return MAPPER.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the code of a problem, after a look at what every problem has. */
  String code() {
    if (!field("content-type").equals("application/problem+json")) {
      throw new AssertionError("no problem: " + this);
    }
    JsonNode problem = json();
    for (String member : List.of("type", "title", "status", "detail", "code")) {
      if (!problem.has(member)) {
        throw new AssertionError("a problem without " + member + ": " + problem);
      }
    }
    if (problem.get("status").intValue() != status || field("x-request-id").isEmpty()) {
      throw new AssertionError("status or request id are wrong: " + this);
    }
    return problem.get("code").asText();
  }

  /** Returns status and code, such as {@code 400 bad-request}. */
  String problem() {
    return status + " " + code();
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return status + " " + fields + " " + text().substring(0, Math.min(body.length, 500));
  }
}

package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A complete HTTP answer, or its head when the body is read elsewhere. */
final class Answer {
  private static final JsonMapper JSON = new JsonMapper();

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  Answer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  Map<String, String> headers() {
    return headers;
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }

  JsonNode json() throws IOException {
    return JSON.readTree(body);
  }

  /** The code of a problem document, or nothing. */
  String code() throws IOException {
    return header("Content-Type").orElse("").startsWith("application/problem+json")
        ? json().path("code").asText()
        : "";
  }

  boolean closes() {
    return header("Connection").orElse("").equalsIgnoreCase("close");
  }

  /** Fails the test unless the status is this one. */
  Answer expect(int wanted) {
    assertThat(status).as("status of %s", this).isEqualTo(wanted);
    return this;
  }

  @Override
  public String toString() {
    String text = header("Content-Type").orElse("").contains("json") ? text() : "";
    return status + " " + headers + " " + body.length + " bytes " + text;
  }
}

package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {
  private static ObjectNode read(String text) throws Json.BadJson {
    return Json.readObject(text.getBytes(StandardCharsets.UTF_8), Set.of("op", "offset", "flush"));
  }

  @Test
  void readsMembers() throws Exception {
    ObjectNode node = read("{\"op\":\"zero\",\"offset\":512,\"flush\":false}");
    assertThat(Json.text(node, "op")).contains("zero");
    assertThat(Json.number(node, "offset")).contains(512L);
    assertThat(Json.bool(node, "flush")).contains(false);
    assertThat(Json.bool(node, "unmap")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "null",
        "[]",
        "1",
        "\"x\"",
        "{",
        "{}}",
        "{} {}",
        "{\"op\":1,\"op\":1}",
        "{\"oP\":1}",
        "{'op':1}",
        "{op:1}",
        "{\"op\":1,}",
        "{\"op\":NaN}",
        "{\"op\":01}",
        "{\"op\":/**/1}"
      })
  void refusesWhatIsNotOneStrictObject(String text) {
    assertThatExceptionOfType(Json.BadJson.class).isThrownBy(() -> read(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1", "1.0", "1e3", "\"1\"", "null", "true", "9223372036854775808", "[1]", "{}"})
  void refusesOtherNumbersThanWholeOnes(String value) throws Exception {
    ObjectNode node = read("{\"offset\":" + value + "}");
    assertThatExceptionOfType(Json.BadJson.class).isThrownBy(() -> Json.number(node, "offset"));
  }

  @Test
  void refusesOtherTypes() throws Exception {
    ObjectNode node = read("{\"op\":1,\"flush\":\"true\"}");
    assertThatExceptionOfType(Json.BadJson.class).isThrownBy(() -> Json.text(node, "op"));
    assertThatExceptionOfType(Json.BadJson.class).isThrownBy(() -> Json.bool(node, "flush"));
    assertThatExceptionOfType(Json.BadJson.class)
        .isThrownBy(() -> Json.required(Optional.empty(), "size"))
        .withMessageContaining("size");
  }

  @Test
  void refusesDeepNesting() {
    String deep = "{\"op\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}";
    assertThatExceptionOfType(Json.BadJson.class).isThrownBy(() -> read(deep));
  }
}

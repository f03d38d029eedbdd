package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:8080,127.0.0.1,8080",
    "localhost:0,localhost,0",
    "0.0.0.0:65535,0.0.0.0,65535",
    "[::1]:8080,::1,8080",
    "[fe80::1%eth0]:80,fe80::1%eth0,80"
  })
  void parsesAndPrints(String text, String host, int port) {
    HostPort parsed = HostPort.parse(text);
    assertThat(parsed).isEqualTo(new HostPort(host, port));
    assertThat(parsed).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "8080",
        ":8080",
        "localhost",
        "localhost:",
        "localhost:x",
        "::1:8080",
        "*:8080",
        "a b:80",
        "localhost:-1",
        "localhost:123456",
        "http://localhost:80",
        "[]:80"
      })
  void refusesTheRestWithAnExample(String text) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not HOST:PORT, for example 127.0.0.1:8080");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:65536", "localhost:99999"})
  void refusesPortsThatDoNotExist(String text) {
    assertThatThrownBy(() -> HostPort.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("port has to be 0 to 65535");
  }
}

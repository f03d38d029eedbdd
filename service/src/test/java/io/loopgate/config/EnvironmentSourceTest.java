package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentSourceTest {
  private static ServerConfig load(String name, String text) {
    return ConfigLoader.load(Map.of(), Map.of(name, text)).config();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LOOPGATE_LISTN|x|LOOPGATE_LISTN: unknown variable; the nearest is LOOPGATE_LISTEN",
        "LOOPGATE_PORT|8080|LOOPGATE_PORT: unknown variable; the nearest is LOOPGATE_",
        "LOOPGATE_JAVA_OPT|x|the nearest is LOOPGATE_JAVA_OPTS",
        "LOOPGATE_MAX_HELD_BYTES|16|LOOPGATE_MAX_HELD_BYTES: \"16\" needs a unit",
        "LOOPGATE_IDLE_TIMEOUT|30|LOOPGATE_IDLE_TIMEOUT: \"30\" needs a unit, for example 30s",
        "LOOPGATE_DATA_DIR|''|LOOPGATE_DATA_DIR: is empty",
        "LOOPGATE_VOLUME|' ; '|LOOPGATE_VOLUME: is empty",
        "LOOPGATE_VOLUME|a=/x;a=/y|LOOPGATE_VOLUME: volume \"a\": id \"a\" is given twice",
        "LOOPGATE_VOLUME|a=/x,direkt|LOOPGATE_VOLUME: volume \"a\": unknown key \"direkt\"",
        "LOOPGATE_CONFIG|/no/such.yaml|LOOPGATE_CONFIG: cannot read \"/no/such.yaml\": there is no"
      })
  void refusals(String name, String text, String message) {
    assertThatThrownBy(() -> load(name, text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "LOOPGATE_JAVA_OPTS,-Xmx1g",
    "LOOPGATE_SKIP_BUILD,1",
    "LOOPGATE_JVM_FOLDERS,/opt/java",
    "LOOPGATE_SERVICE_HOST,10.0.0.1",
    "LOOPGATE_SERVICE_PORT,8080",
    "LOOPGATE_SERVICE_PORT_HTTP,8080",
    "LOOPGATE_PORT,tcp://10.0.0.1:8080",
    "LOOPGATE_PORT_8080_TCP,tcp://10.0.0.1:8080",
    "LOOPGATE_PORT_8080_TCP_ADDR,10.0.0.1",
    "LOOPGATE_ADMIN_SERVICE_HOST,10.0.0.1",
    "LOOPGATE_ADMIN_PORT,tcp://10.0.0.1:8081",
    "LOOPGATER,x"
  })
  void variablesOfOthersAreLeftAlone(String name, String text) {
    assertThat(load(name, text)).isEqualTo(ServerConfig.defaults());
  }

  @Test
  void anUnknownVariableIsAnErrorEvenWhenFlagsDecide() {
    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                    Map.of(ConfigKey.LISTEN, List.of("localhost:1")),
                    Map.of("LOOPGATE_LISTENN", "localhost:2")))
        .isInstanceOf(ConfigException.class);
  }
}

package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlSourceTest {
  @TempDir Path folder;

  private ServerConfig load(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), yaml);
    return ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(file.toString())), Map.of()).config();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "volumes:\n  - id: a\n    path: /x\n    nowait: off\n    size: 1MiB\n",
        "volume:\n  - id: a\n    path: /x\n    nowait: off\n    size: 1MiB\n",
        "volumes:\n  a:\n    path: /x\n    nowait: 'off'\n    size: 1MiB\n",
        "volumes:\n  a: /x,nowait=off,size=1MiB\n",
        "volumes:\n  - a=/x,nowait=off,size=1MiB\n",
        "volume: a=/x,nowait=off,size=1MiB\n",
        "{\"volumes\": [{\"id\": \"a\", \"path\": \"/x\", \"nowait\": \"off\", \"size\": \"1MiB\"}]}"
      })
  void volumesInEveryForm(String yaml) throws IOException {
    ConfiguredVolume volume = load(yaml).volumes().getFirst();
    assertThat(volume.settings().id()).isEqualTo("a");
    assertThat(volume.settings().backing()).isEqualTo("/x");
    assertThat(volume.settings().nowait()).isEqualTo(NowaitMode.OFF);
    assertThat(volume.createSizeBytes()).hasValue(1L << 20);
  }

  @Test
  void engineOptionsAreReadAndPrinted() throws IOException {
    String yaml =
        "volumes:\n  - id: a\n    path: /x\n    queues: 4\n    depth: 32\n    merge: off\n    punt: on\n";
    ServerConfig config = load(yaml);
    assertThat(config.volumes().getFirst().settings().options())
        .isEqualTo(new EngineOptions(4, 32, false, true));
    assertThat(new EffectiveConfig(config, Map.of(), List.of()).toYaml())
        .contains("    queues: 4\n    depth: 32\n    merge: false\n    punt: true\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# only a comment\n", "---\n", "volumes: []\n", "volumes: {}\n"})
  void filesThatSayNothing(String yaml) throws IOException {
    assertThat(load(yaml)).isEqualTo(ServerConfig.defaults());
  }

  @Test
  void anEmptyListOfAVariableIsNotNeeded() throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), "volumes: []\n");
    EffectiveConfig loaded =
        ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(file.toString())), Map.of());
    assertThat(loaded.toYaml()).contains("volumes: [] # " + file + ":1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "listn: x|c.yaml:1: unknown key \"listn\"; the nearest is listen",
        "listen: a:1\\nlisten: b:2|c.yaml:2: Duplicate field 'listen'",
        "volumes:\\n - id: a\\n   id: b|c.yaml:3: Duplicate field 'id'",
        "volumes:\\n  a: /x\\n  a: /y|c.yaml:3: Duplicate field 'a'",
        "volumes: []\\nvolume: []|c.yaml:2: volume and volumes are the same key",
        "config: other.yaml|c.yaml:1: config cannot stand in a file",
        "max-held-bytes: 16|c.yaml:1: max-held-bytes: \"16\" needs a unit, for example 64KiB",
        "\\nidle-timeout: 30|c.yaml:2: idle-timeout: \"30\" needs a unit, for example 30s",
        "listen:|c.yaml:1: listen: has no value",
        "listen: null|c.yaml:1: listen: has no value",
        "volumes:|c.yaml:1: volumes: has no value",
        "listen: [a]|c.yaml:1: listen: takes one value, not a list or map",
        "listen: {a: b}|c.yaml:1: listen: takes one value, not a list or map",
        "volumes:\\n  - [a]|takes one value, not a list or map",
        "volumes:\\n  - path: /x|c.yaml:2: volumes: has no id",
        "volumes:\\n  a: {}|c.yaml:2: volumes: volume \"a\": has no path",
        "volumes:\\n  a:\\n    path: /x\\n    id: b|id is given twice",
        "volumes:\\n  a:\\n    pth: /x|c.yaml:3: unknown key \"pth\"; the nearest is path",
        "volumes:\\n  a:\\n    path: /x\\n    blockSize: 5|has to be 512 or 4096",
        "volumes:\\n  a:\\n    path: /x\\n    queues: 65|queues has to be 0 (what suits the engine) to 64, not 65",
        "volumes:\\n  a:\\n    path: /x\\n    depth: 0|depth has to be 1 to 4096, not 0",
        "volumes:\\n  a:\\n    path: /x\\n    merge: 2|c.yaml:4: merge: \"2\" is neither on nor off",
        "volumes:\\n  - a=/x\\n  - a=/y|c.yaml:3: volumes: volume \"a\": id \"a\" is given twice",
        "data-dir: &x /d\\nadmin: *x|c.yaml:2: admin: is an alias",
        "- a|c.yaml:1: has to be a map of keys",
        "text|c.yaml:1: has to be a map of keys",
        "listen: a:1\\n---\\nlisten: b:2|holds more than one YAML document",
        "listen: \"a|c.yaml:",
        "\\tlisten: a:1|c.yaml:1:",
        "event-loops: 1_000|event-loops: \"1_000\" is not a whole number",
        "event-loops: 1.0|event-loops: \"1.0\" is not a whole number",
        "unsafe-inline: 1|unsafe-inline: \"1\" is neither on nor off"
      })
  void refusals(String yaml, String message) {
    String text = yaml.replace("\\n", "\n").replace("\\t", "\t");
    assertThatThrownBy(() -> load(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .message()
        .doesNotContain("\n");
  }

  @Test
  void whatIsNotUtf8IsRefused() throws IOException {
    Path file = Files.write(folder.resolve("c.yaml"), new byte[] {'a', ':', (byte) 0xff, '\n'});
    assertThatThrownBy(
            () -> ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(file.toString())), Map.of()))
        .isInstanceOf(ConfigException.class);
  }

  @Test
  void aFolderIsRefused() {
    assertThatThrownBy(
            () -> ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(folder.toString())), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--config: cannot read");
  }
}

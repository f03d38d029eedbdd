package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.volume.VolumeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every key by each of the three sources, and which one wins. */
class SourcesTest {
  private static final ConfiguredVolume DISK =
      ConfiguredVolume.existing(VolumeSettings.of("disk0", "/a.raw"));

  @TempDir Path folder;

  static Stream<Arguments> keys() {
    return Stream.of(
        key(ConfigKey.DATA_DIR, "/srv/x y", Path.of("/srv/x y"), ServerConfig::dataDir),
        key(ConfigKey.LISTEN, "0.0.0.0:80", new HostPort("0.0.0.0", 80), ServerConfig::listen),
        key(ConfigKey.ADMIN, "'[::1]:81'", new HostPort("::1", 81), ServerConfig::admin),
        key(ConfigKey.EVENT_LOOPS, "3", 3, ServerConfig::eventLoops),
        key(ConfigKey.TRANSPORT, "io_uring", Transport.IO_URING, ServerConfig::transport),
        key(ConfigKey.VOLUME, "disk0=/a.raw", List.of(DISK), ServerConfig::volumes),
        key(ConfigKey.UNSAFE_INLINE, "true", true, ServerConfig::unsafeInline),
        key(ConfigKey.MAX_HELD_BYTES, "1MiB", 1L << 20, ServerConfig::maxHeldBytes),
        key(ConfigKey.MAX_BUFFER_BYTES, "1GiB", 1L << 30, ServerConfig::maxBufferBytes),
        key(ConfigKey.MAX_CONNECTIONS, "5", 5, ServerConfig::maxConnections),
        key(ConfigKey.MAX_LOOP_COMMANDS, "6", 6, ServerConfig::maxLoopCommands),
        key(ConfigKey.IDLE_TIMEOUT, "2m", Duration.ofMinutes(2), ServerConfig::idleTimeout),
        key(ConfigKey.STALL_TIMEOUT, "500ms", Duration.ofMillis(500), ServerConfig::stallTimeout),
        key(ConfigKey.SHUTDOWN_DELAY, "5s", Duration.ofSeconds(5), ServerConfig::shutdownDelay),
        key(ConfigKey.DRAIN_TIMEOUT, "1h", Duration.ofHours(1), ServerConfig::drainTimeout),
        key(ConfigKey.WARM_UP, "7s", Duration.ofSeconds(7), ServerConfig::warmUp),
        key(ConfigKey.MAX_HEADER_BYTES, "64KiB", 65_536, ServerConfig::maxHeaderBytes),
        key(ConfigKey.LOG_LEVEL, "debug", LogLevel.DEBUG, ServerConfig::logLevel));
  }

  private static Arguments key(
      ConfigKey key, String text, Object value, Function<ServerConfig, Object> getter) {
    return Arguments.of(key, text, value, getter);
  }

  private static String unquoted(String text) {
    return text.replace("'", "");
  }

  @Test
  void noKeyIsForgottenHere() {
    assertThat(keys().map(arguments -> arguments.get()[0]))
        .containsExactlyInAnyOrderElementsOf(
            ConfigKey.all().stream().filter(key -> key != ConfigKey.CONFIG).toList());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void byFlag(ConfigKey key, String text, Object value, Function<ServerConfig, Object> getter) {
    EffectiveConfig loaded = ConfigLoader.load(Map.of(key, List.of(unquoted(text))), Map.of());
    assertThat(getter.apply(loaded.config())).isEqualTo(value);
    assertThat(loaded.places()).containsEntry(key, key.flag());
    assertThat(loaded.toYaml()).contains(" # " + key.flag() + "\n");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void byVariable(ConfigKey key, String text, Object value, Function<ServerConfig, Object> getter) {
    EffectiveConfig loaded =
        ConfigLoader.load(Map.of(), Map.of(key.variable(), unquoted(text), "HOME", "/root"));
    assertThat(getter.apply(loaded.config())).isEqualTo(value);
    assertThat(loaded.places()).containsEntry(key, key.variable());
  }

  @ParameterizedTest
  @MethodSource("keys")
  void byYaml(ConfigKey key, String text, Object value, Function<ServerConfig, Object> getter)
      throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), "\n" + key.key() + ": " + text + "\n");
    EffectiveConfig loaded =
        ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(file.toString())), Map.of());
    assertThat(getter.apply(loaded.config())).isEqualTo(value);
    assertThat(loaded.places()).containsEntry(key, file + ":2");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void aFlagWinsOverAVariableOverYamlOverTheDefault(
      ConfigKey key, String text, Object value, Function<ServerConfig, Object> getter)
      throws IOException {
    // The file may say what it wants for all other sources, so the same file goes to all of them.
    Path file = Files.writeString(folder.resolve("c.yaml"), key.key() + ": " + text + "\n");
    Object fallback = getter.apply(ServerConfig.defaults());
    String other = other(key);
    Map<ConfigKey, List<String>> flags = new EnumMap<>(ConfigKey.class);
    assertThat(getter.apply(ConfigLoader.load(flags, Map.of()).config())).isEqualTo(fallback);
    flags.put(ConfigKey.CONFIG, List.of(file.toString()));
    assertThat(getter.apply(ConfigLoader.load(flags, Map.of()).config())).isEqualTo(value);
    Map<String, String> environment = Map.of(key.variable(), other);
    Object byVariable = getter.apply(ConfigLoader.load(flags, environment).config());
    assertThat(byVariable).isNotEqualTo(value);
    flags.put(key, List.of(unquoted(text)));
    assertThat(getter.apply(ConfigLoader.load(flags, environment).config())).isEqualTo(value);
  }

  /** Returns a value of the key that is not the one in {@link #keys()}. */
  private static String other(ConfigKey key) {
    return key == ConfigKey.VOLUME ? "disk1=/b.raw" : key.defaultText();
  }

  @Test
  void theFileMayBeNamedByAVariable() throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), "event-loops: 9\n");
    Map<String, String> environment = Map.of("LOOPGATE_CONFIG", file.toString());
    assertThat(ConfigLoader.load(Map.of(), environment).config().eventLoops()).isEqualTo(9);
  }

  @Test
  void volumesOfTwoSourcesAreNotMixed() {
    EffectiveConfig loaded =
        ConfigLoader.load(
            Map.of(ConfigKey.VOLUME, List.of("a=/a", "b=/b")),
            Map.of("LOOPGATE_VOLUME", "c=/c;d=/d"));
    assertThat(loaded.config().volumes())
        .extracting(volume -> volume.settings().id())
        .containsExactly("a", "b");
  }

  @Test
  void oneVariableHoldsSeveralVolumes() {
    Map<String, String> environment = Map.of("LOOPGATE_VOLUME", "a=/a,direct; b=/x\\;y ;");
    List<ConfiguredVolume> volumes = ConfigLoader.load(Map.of(), environment).config().volumes();
    assertThat(volumes)
        .extracting(volume -> volume.settings().backing())
        .containsExactly("/a", "/x;y");
  }
}

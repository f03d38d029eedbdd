package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.volume.VolumeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  @Test
  void defaults() {
    assertThat(ServerConfig.defaults())
        .isEqualTo(
            new ServerConfig(
                Path.of("./data"),
                new HostPort("127.0.0.1", 8080),
                new HostPort("127.0.0.1", 8081),
                0,
                Transport.AUTO,
                List.of(),
                false,
                16L << 20,
                128L << 20,
                16_384,
                4096,
                Duration.ofSeconds(75),
                Duration.ofSeconds(30),
                Duration.ZERO,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                16 << 10,
                LogLevel.INFO));
  }

  @Test
  void theDemoVolumeLivesInTheDataFolder() {
    HostPort any = new HostPort("localhost", 0);
    ServerConfig config = ServerConfig.defaults().at(Path.of("/srv"), any, any);
    assertThat(config.demo())
        .isEqualTo(ConfiguredVolume.created(VolumeSettings.of("demo", "/srv/demo.img"), 1L << 30));
  }

  @Test
  void anIdIsTakenOnce() {
    ConfiguredVolume volume = ConfiguredVolume.existing(VolumeSettings.of("a", "/a"));
    assertThatThrownBy(() -> ServerConfig.defaults().withVolumes(List.of(volume, volume)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("volume id \"a\" is given twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EVENT_LOOPS|1025|--event-loops: has to be 0 to 1024, not 1025",
        "EVENT_LOOPS|99999999999|--event-loops: \"99999999999\" is too large",
        "MAX_CONNECTIONS|0|--max-connections: has to be 1 to 1000000, not 0",
        "MAX_LOOP_COMMANDS|0|--max-loop-commands: has to be 1 to 1000000, not 0",
        "MAX_HELD_BYTES|1MB|--max-held-bytes: has to be 1MiB to 1GiB, not 1000000B",
        "MAX_HELD_BYTES|129MiB|--max-held-bytes: has to be at most max-buffer-bytes (128MiB)",
        "MAX_BUFFER_BYTES|2MiB|max-held-bytes (default): has to be at most max-buffer-bytes (2MiB)",
        "MAX_BUFFER_BYTES|2TiB|--max-buffer-bytes: has to be 1MiB to 1TiB, not 2TiB",
        "MAX_HEADER_BYTES|2MiB|--max-header-bytes: has to be 1KiB to 1MiB, not 2MiB",
        "MAX_HEADER_BYTES|4GiB|--max-header-bytes: \"4GiB\" is too large",
        "IDLE_TIMEOUT|0s|--idle-timeout: has to be 1ms to 24h",
        "STALL_TIMEOUT|25h|--stall-timeout: has to be 1ms to 24h",
        "DRAIN_TIMEOUT|25h|--drain-timeout: has to be 0s to 24h",
        "WARM_UP|25h|--warm-up: has to be 0s to 24h",
        "ADMIN|127.0.0.1:8080|--admin: has to differ from listen: both are 127.0.0.1:8080",
        "TRANSPORT|uring|--transport: \"uring\" is none of auto, epoll, io_uring, nio; the nearest is io_uring",
        "LOG_LEVEL|INFO|--log-level: \"INFO\" is none of error, warn, info, debug, trace; the nearest is info",
        "UNSAFE_INLINE|maybe|--unsafe-inline: \"maybe\" is neither on nor off",
        "LISTEN|8080|--listen: \"8080\" is not HOST:PORT"
      })
  void boundsNameTheSource(ConfigKey key, String text, String message) {
    assertThatThrownBy(() -> ConfigLoader.load(Map.of(key, List.of(text)), Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void durationsAreWholeMilliseconds() {
    ServerConfig defaults = ServerConfig.defaults();
    assertThatThrownBy(
            () ->
                new ServerConfig(
                    defaults.dataDir(),
                    defaults.listen(),
                    defaults.admin(),
                    0,
                    Transport.AUTO,
                    List.of(),
                    false,
                    1 << 20,
                    1 << 20,
                    1,
                    1,
                    Duration.ofNanos(1_500_000),
                    defaults.stallTimeout(),
                    Duration.ZERO,
                    Duration.ZERO,
                    Duration.ZERO,
                    1024,
                    LogLevel.INFO))
        .hasMessage("idle-timeout has to be whole milliseconds");
  }
}

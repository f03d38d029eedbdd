package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.DirectIo;
import io.loopgate.backing.open.Backings;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What the printer writes, the loader reads back as the same configuration. */
class RoundTripTest {
  @Property(tries = 300)
  void yamlComesBack(@ForAll("configs") ServerConfig config) throws IOException {
    String yaml = new EffectiveConfig(config, Map.of(), List.of()).toYaml();
    Path file = Files.createTempFile(Files.createDirectories(Path.of("target")), "round", ".yaml");
    try {
      Files.writeString(file, yaml);
      EffectiveConfig loaded =
          ConfigLoader.load(Map.of(ConfigKey.CONFIG, List.of(file.toString())), Map.of());
      assertThat(loaded.config()).isEqualTo(config);
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<ServerConfig> configs() {
    ServerConfig defaults = ServerConfig.defaults();
    return Combinators.combine(paths(), volumes().list().ofMaxSize(4), numbers(), durations())
        .as(
            (path, volumes, numbers, durations) ->
                new ServerConfig(
                    Path.of(path),
                    new HostPort("::1", 8080),
                    defaults.admin(),
                    numbers.getFirst() % 1025,
                    Transport.values()[numbers.get(1) % 4],
                    distinct(volumes),
                    numbers.get(2) % 2 == 0,
                    (1L << 20) + numbers.get(3),
                    1L << 40,
                    1 + numbers.get(4) % 1_000_000,
                    1 + numbers.get(4) % 1_000,
                    Duration.ofMillis(1 + durations.get(0)),
                    Duration.ofMillis(1 + durations.get(1)),
                    Duration.ofMillis(durations.get(2)),
                    Duration.ofMillis(durations.get(3)),
                    Duration.ofMillis(durations.get(0)),
                    1024 + numbers.get(5) % 100_000,
                    LogLevel.values()[numbers.get(6) % 5]));
  }

  private static Arbitrary<List<Integer>> numbers() {
    return Arbitraries.integers().between(0, 1 << 29).list().ofSize(7);
  }

  private static Arbitrary<List<Long>> durations() {
    return Arbitraries.longs().between(0, 86_399_999).list().ofSize(4);
  }

  private static Arbitrary<String> paths() {
    Arbitrary<String> tricky =
        Arbitraries.of(
            "null",
            "true",
            "~",
            "off",
            "123",
            "0x10",
            "1:30",
            "- a",
            "a: b",
            "a #b",
            "\"q\"",
            "'q'",
            "back\\slash",
            "*alias",
            "&anchor",
            "!tag",
            "%x",
            "@x",
            "a,b=c",
            "ram:64MiB",
            "null:1TiB",
            "linear:a\\+b+ram:1MiB",
            "{a}",
            "[a]",
            "é",
            "😀",
            "\u2028",
            "\ufeff",
            "tab\there",
            "new\nline",
            " lead",
            "trail ");
    Arbitrary<String> any =
        Arbitraries.strings()
            .all()
            .ofMinLength(1)
            .ofMaxLength(20)
            .filter(text -> !text.isBlank() && text.indexOf(0) < 0 && isEncodable(text));
    return Arbitraries.oneOf(tricky.filter(RoundTripTest::isEncodable), any);
  }

  /** Which texts are paths depends on the locale of the machine. */
  private static boolean isEncodable(String text) {
    try {
      return !Path.of(text).toString().isBlank();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static Arbitrary<ConfiguredVolume> volumes() {
    Arbitrary<String> ids =
        Arbitraries.strings().withCharRange('a', 'z').numeric().ofMinLength(1).ofMaxLength(8);
    Arbitrary<String> engines = Arbitraries.of("auto", "workers:4", "polled:batch", "on", "x#y");
    Arbitrary<VolumeLimits> limits =
        Combinators.combine(
                Arbitraries.integers().between(1, 65_536),
                Arbitraries.longs().greaterOrEqual(0),
                Arbitraries.longs().greaterOrEqual(0))
            .as(VolumeLimits::new);
    Arbitrary<Long> sizes = Arbitraries.longs().between(0, Long.MAX_VALUE);
    return Combinators.combine(
            ids,
            Arbitraries.oneOf(paths(), Arbitraries.strings().all().ofLength(3))
                .filter(text -> !text.isBlank()),
            engines,
            Arbitraries.integers().between(0, 95),
            limits,
            sizes)
        .as(RoundTripTest::volume);
  }

  private static ConfiguredVolume volume(
      String id, String path, String engine, int choice, VolumeLimits limits, long size) {
    VolumeSettings settings =
        new VolumeSettings(
            id,
            path,
            engine,
            new EngineOptions(choice % 5, 1 + choice, choice % 2 == 0, choice % 7 == 0),
            NowaitMode.values()[choice % 3],
            DirectIo.values()[choice / 3 % 3],
            choice / 6 % 2 == 0,
            Durability.values()[choice / 12 % 2],
            choice / 24 % 2 == 0 ? 512 : 4096,
            AlignmentPolicy.values()[choice / 48 % 2],
            limits);
    boolean makesFile = size != 0 && Backings.isPath(path);
    return new ConfiguredVolume(settings, makesFile ? OptionalLong.of(size) : OptionalLong.empty());
  }

  private static List<ConfiguredVolume> distinct(List<ConfiguredVolume> volumes) {
    return volumes.stream()
        .collect(
            Collectors.toMap(
                volume -> volume.settings().id(),
                volume -> volume,
                (first, second) -> first,
                LinkedHashMap::new))
        .values()
        .stream()
        .toList();
  }
}

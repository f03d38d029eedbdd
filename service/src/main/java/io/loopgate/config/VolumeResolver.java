package io.loopgate.config;

import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** Turns a volume as written into its settings. */
final class VolumeResolver {
  private final RawVolume raw;

  private VolumeResolver(RawVolume raw) {
    this.raw = raw;
  }

  static ConfiguredVolume resolve(RawVolume raw) {
    return new VolumeResolver(raw).resolve();
  }

  private ConfiguredVolume resolve() {
    String id = require(VolumeKey.ID, "for example id: disk0");
    String path = require(VolumeKey.PATH, "for example path: /images/a.raw");
    VolumeSettings defaults = checked(() -> VolumeSettings.of(id, path));
    VolumeSettings settings =
        checked(
            () ->
                new VolumeSettings(
                    id,
                    path,
                    read(VolumeKey.ENGINE, Values::engine, defaults.engine()),
                    options(defaults.options()),
                    read(VolumeKey.NOWAIT, VolumeResolver::nowait, defaults.nowait()),
                    read(VolumeKey.DIRECT, VolumeResolver::direct, defaults.direct()),
                    read(VolumeKey.READONLY, Values::bool, defaults.readOnly()),
                    read(VolumeKey.DURABILITY, VolumeResolver::durability, defaults.durability()),
                    read(
                        VolumeKey.BLOCK_SIZE,
                        Values::smallBytesOrNumber,
                        defaults.blockSizeBytes()),
                    read(VolumeKey.ALIGNMENT, VolumeResolver::alignment, defaults.alignment()),
                    limits(defaults.limits())));
    OptionalLong size =
        read(VolumeKey.SIZE, text -> OptionalLong.of(Units.parseBytes(text)), OptionalLong.empty());
    return checked(() -> new ConfiguredVolume(settings, size));
  }

  private EngineOptions options(EngineOptions defaults) {
    return new EngineOptions(
        read(VolumeKey.QUEUES, Values::smallNumber, defaults.queues()),
        read(VolumeKey.DEPTH, Values::smallNumber, defaults.depth()),
        read(VolumeKey.MERGE, Values::bool, defaults.merge()),
        read(VolumeKey.PUNT, Values::bool, defaults.punt()));
  }

  private VolumeLimits limits(VolumeLimits defaults) {
    return new VolumeLimits(
        read(VolumeKey.MAX_IN_FLIGHT, Values::smallNumber, defaults.maxInFlight()),
        read(VolumeKey.OPERATIONS_PER_SECOND, Values::wholeNumber, defaults.operationsPerSecond()),
        read(VolumeKey.BYTES_PER_SECOND, Units::parseBytesOrNumber, defaults.bytesPerSecond()));
  }

  private String require(VolumeKey key, String example) {
    return raw.get(key)
        .map(RawValue::text)
        .orElseThrow(
            () -> new ConfigException(raw.origin(), "has no " + key.key() + ", " + example));
  }

  private <T> T read(VolumeKey key, Function<String, T> parser, T otherwise) {
    return raw.get(key).map(value -> value.parse(parser)).orElse(otherwise);
  }

  /** Runs a constructor that checks; its message becomes one that names the origin. */
  private <T> T checked(Supplier<T> constructor) {
    try {
      return constructor.get();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(raw.origin(), String.valueOf(e.getMessage()), e);
    }
  }

  private static NowaitMode nowait(String text) {
    return Values.choice(NowaitMode.values(), text);
  }

  private static DirectIo direct(String text) {
    return text.equals("auto") ? DirectIo.AUTO : DirectIo.of(Values.bool(text));
  }

  private static Durability durability(String text) {
    return Values.choice(Durability.values(), text);
  }

  private static AlignmentPolicy alignment(String text) {
    return Values.choice(AlignmentPolicy.values(), text);
  }
}

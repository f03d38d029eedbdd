package io.loopgate.config;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Takes each key from the first source that has it and parses it. */
final class ConfigResolver {
  private final List<RawConfig> sources;
  private final Map<ConfigKey, Origin> origins = new EnumMap<>(ConfigKey.class);

  private ConfigResolver(List<RawConfig> sources) {
    this.sources = sources;
  }

  /** Resolves sources, the strongest first. */
  static EffectiveConfig resolve(List<RawConfig> sources) {
    return new ConfigResolver(sources).resolve();
  }

  private EffectiveConfig resolve() {
    List<RawVolume> rawVolumes = volumes();
    List<ConfiguredVolume> volumes = rawVolumes.stream().map(VolumeResolver::resolve).toList();
    Map<ConfigKey, String> places = new EnumMap<>(ConfigKey.class);
    ServerConfig config = build(volumes);
    origins.forEach((key, origin) -> places.put(key, origin.place()));
    return new EffectiveConfig(
        config, places, rawVolumes.stream().map(volume -> volume.origin().place()).toList());
  }

  private ServerConfig build(List<ConfiguredVolume> volumes) {
    try {
      return new ServerConfig(
          read(ConfigKey.DATA_DIR, Values::path),
          read(ConfigKey.LISTEN, HostPort::parse),
          read(ConfigKey.ADMIN, HostPort::parse),
          read(ConfigKey.EVENT_LOOPS, Values::smallNumber),
          read(ConfigKey.TRANSPORT, text -> Values.choice(Transport.values(), text)),
          volumes,
          read(ConfigKey.UNSAFE_INLINE, Values::bool),
          read(ConfigKey.MAX_HELD_BYTES, Units::parseBytes),
          read(ConfigKey.MAX_BUFFER_BYTES, Units::parseBytes),
          read(ConfigKey.MAX_CONNECTIONS, Values::smallNumber),
          read(ConfigKey.MAX_LOOP_COMMANDS, Values::smallNumber),
          read(ConfigKey.IDLE_TIMEOUT, Units::parseDuration),
          read(ConfigKey.STALL_TIMEOUT, Units::parseDuration),
          read(ConfigKey.SHUTDOWN_DELAY, Units::parseDuration),
          read(ConfigKey.DRAIN_TIMEOUT, Units::parseDuration),
          read(ConfigKey.WARM_UP, Units::parseDuration),
          read(ConfigKey.MAX_HEADER_BYTES, Values::smallBytes),
          read(ConfigKey.LOG_LEVEL, text -> Values.choice(LogLevel.values(), text)));
    } catch (InvalidSettingException e) {
      Origin origin = origins.getOrDefault(e.key(), Origin.defaults(e.key()));
      throw new ConfigException(origin, e.reason(), e);
    }
  }

  private <T> T read(ConfigKey key, Function<String, T> parser) {
    RawValue value =
        sources.stream()
            .flatMap(source -> source.get(key).stream())
            .findFirst()
            .orElseGet(() -> new RawValue(key.defaultText(), Origin.defaults(key)));
    origins.put(key, value.origin());
    return value.parse(parser);
  }

  /** The first source that names volumes decides about all of them: lists are not mixed. */
  private List<RawVolume> volumes() {
    for (RawConfig source : sources) {
      if (source.volumesOrigin().isPresent()) {
        origins.put(ConfigKey.VOLUME, source.volumesOrigin().get());
        checkIds(source.volumes());
        return source.volumes();
      }
    }
    return List.of();
  }

  private static void checkIds(List<RawVolume> volumes) {
    Set<String> ids = new HashSet<>();
    for (RawVolume volume : volumes) {
      volume
          .get(VolumeKey.ID)
          .ifPresent(
              id -> {
                if (!ids.add(id.text())) {
                  throw new ConfigException(
                      volume.origin(), "id " + Quoting.quote(id.text()) + " is given twice");
                }
              });
    }
  }
}

package io.loopgate.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one source says: values by key, and volumes. */
final class RawConfig {
  private final Map<ConfigKey, RawValue> values = new EnumMap<>(ConfigKey.class);
  private final List<RawVolume> volumes = new ArrayList<>();
  private Optional<Origin> volumesOrigin = Optional.empty();

  Optional<RawValue> get(ConfigKey key) {
    return Optional.ofNullable(values.get(key));
  }

  void put(ConfigKey key, RawValue value) {
    values.put(key, value);
  }

  void addVolume(RawVolume volume) {
    decideVolumes(volume.origin());
    volumes.add(volume);
  }

  /** Notes that this source decides about volumes, even when it names none. */
  void decideVolumes(Origin origin) {
    volumesOrigin = Optional.of(origin);
  }

  /** Returns where this source speaks of volumes, if it does. */
  Optional<Origin> volumesOrigin() {
    return volumesOrigin;
  }

  List<RawVolume> volumes() {
    return List.copyOf(volumes);
  }
}

package io.loopgate.config;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** One volume as its user wrote it, key by key. */
final class RawVolume {
  private final Origin origin;
  private final Map<VolumeKey, RawValue> values = new EnumMap<>(VolumeKey.class);

  RawVolume(Origin origin) {
    this.origin = origin;
  }

  Origin origin() {
    return origin;
  }

  Optional<RawValue> get(VolumeKey key) {
    return Optional.ofNullable(values.get(key));
  }

  /** Takes a value; a second one for the same key is refused. */
  void put(VolumeKey key, RawValue value) {
    if (values.putIfAbsent(key, value) != null) {
      throw new ConfigException(value.origin(), key.key() + " is given twice");
    }
  }
}

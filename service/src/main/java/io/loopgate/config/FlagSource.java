package io.loopgate.config;

import java.util.List;
import java.util.Map;

/** Takes the flags that a command line parser found. */
final class FlagSource {
  private FlagSource() {}

  static RawConfig read(Map<ConfigKey, List<String>> flags) {
    RawConfig raw = new RawConfig();
    flags.forEach((key, texts) -> texts.forEach(text -> put(raw, key, text)));
    return raw;
  }

  private static void put(RawConfig raw, ConfigKey key, String text) {
    Origin origin = Origin.flag(key);
    if (key == ConfigKey.VOLUME) {
      raw.addVolume(VolumeText.parse(text, origin));
    } else if (raw.get(key).isPresent()) {
      throw new ConfigException(origin, "is given twice");
    } else {
      raw.put(key, new RawValue(text, origin));
    }
  }
}

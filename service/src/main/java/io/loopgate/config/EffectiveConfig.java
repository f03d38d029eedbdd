package io.loopgate.config;

import java.util.List;
import java.util.Map;

/**
 * A configuration and where each part of it came from.
 *
 * @param config what counts
 * @param places by key the flag, the variable, file and line, or {@code default}
 * @param volumePlaces the same for each volume
 */
public record EffectiveConfig(
    ServerConfig config, Map<ConfigKey, String> places, List<String> volumePlaces) {
  /** Copies. */
  public EffectiveConfig {
    places = Map.copyOf(places);
    volumePlaces = List.copyOf(volumePlaces);
  }

  /** Returns YAML that, given back as {@code --config}, yields the same configuration. */
  public String toYaml() {
    return new ConfigPrinter(this).print();
  }
}

package io.loopgate.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Brings flags, variables, YAML and defaults together, in this order of strength. */
public final class ConfigLoader {
  private ConfigLoader() {}

  /**
   * Loads the configuration. Paths are relative to the working directory, those in YAML too.
   *
   * @param flags what the command line says, by key; only volumes may have several values
   * @param environment the variables of the process
   * @throws ConfigException when anything in any source is unknown, repeated or wrong
   */
  public static EffectiveConfig load(
      Map<ConfigKey, List<String>> flags, Map<String, String> environment) {
    List<RawConfig> sources = new ArrayList<>();
    sources.add(FlagSource.read(flags));
    sources.add(EnvironmentSource.read(environment));
    Optional<RawValue> file =
        sources.stream().flatMap(source -> source.get(ConfigKey.CONFIG).stream()).findFirst();
    file.ifPresent(
        value -> sources.add(YamlSource.read(value.parse(Values::path), value.origin())));
    return ConfigResolver.resolve(sources);
  }
}

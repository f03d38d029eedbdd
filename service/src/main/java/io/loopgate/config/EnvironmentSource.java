package io.loopgate.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads {@code LOOPGATE_*} variables; an unknown one is an error, as a typo would be silent. */
final class EnvironmentSource {
  static final String PREFIX = "LOOPGATE_";

  /** Variables of the launcher, which are not settings of the server. */
  private static final Set<String> LAUNCHER =
      Set.of("LOOPGATE_JAVA_OPTS", "LOOPGATE_SKIP_BUILD", "LOOPGATE_JVM_FOLDERS");

  /** Kubernetes sets these in every pod next to a service whose name begins with loopgate. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "LOOPGATE_([A-Z0-9_]+_)?"
              + "(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?"
              + "|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

  private static final Pattern SERVICE_URL = Pattern.compile("(tcp|udp|sctp)://.*");

  private EnvironmentSource() {}

  static RawConfig read(Map<String, String> environment) {
    RawConfig raw = new RawConfig();
    // Sorted, so that of several errors always the same one is reported.
    new TreeMap<>(environment)
        .forEach(
            (name, text) -> {
              if (name.startsWith(PREFIX) && !isForeign(name, text)) {
                put(raw, name, text);
              }
            });
    return raw;
  }

  private static void put(RawConfig raw, String name, String text) {
    Origin origin = Origin.variable(name);
    ConfigKey key = find(name).orElseThrow(() -> unknown(name, origin));
    if (key != ConfigKey.VOLUME) {
      raw.put(key, new RawValue(text, origin));
      return;
    }
    List<String> volumes =
        VolumeText.split(text, ';').stream().filter(volume -> !volume.isBlank()).toList();
    if (volumes.isEmpty()) {
      throw new ConfigException(
          origin, "is empty: unset it, or name a volume, for example disk0=/images/a.raw");
    }
    volumes.forEach(volume -> raw.addVolume(VolumeText.parse(volume.strip(), origin)));
  }

  private static boolean isForeign(String name, String text) {
    return LAUNCHER.contains(name)
        || SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("_PORT") && SERVICE_URL.matcher(text).matches());
  }

  private static Optional<ConfigKey> find(String name) {
    return ConfigKey.all().stream().filter(key -> key.variable().equals(name)).findFirst();
  }

  private static ConfigException unknown(String name, Origin origin) {
    List<String> known =
        Stream.concat(ConfigKey.all().stream().map(ConfigKey::variable), LAUNCHER.stream())
            .toList();
    return new ConfigException(
        origin, "unknown variable; the nearest is " + Nearest.to(name, known));
  }
}

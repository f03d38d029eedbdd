package io.loopgate.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The volume syntax of the command line: {@code id=PATH,key=value,...}. A backslash before a comma
 * makes it part of the path; an equals sign in the path needs nothing.
 */
final class VolumeText {
  private VolumeText() {}

  /** Parses {@code id=PATH,key=value,...}. */
  static RawVolume parse(String text, Origin origin) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new ConfigException(
          origin, Quoting.quote(text) + " is not ID=PATH, for example disk0=/images/a.raw");
    }
    return parse(text.substring(0, equals), text.substring(equals + 1), origin);
  }

  /** Parses {@code PATH,key=value,...} for this id. */
  static RawVolume parse(String id, String text, Origin origin) {
    Origin about = origin.about("volume " + Quoting.quote(id));
    RawVolume volume = new RawVolume(about);
    volume.put(VolumeKey.ID, new RawValue(id, about));
    List<String> parts = split(text, ',');
    volume.put(VolumeKey.PATH, new RawValue(parts.getFirst(), about));
    for (String part : parts.subList(1, parts.size())) {
      option(volume, part, about);
    }
    return volume;
  }

  /** Splits where the separator stands without a backslash; with one, only the backslash goes. */
  static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == separator) {
        part.append(separator);
        i++;
      } else if (c == separator) {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return parts;
  }

  private static void option(RawVolume volume, String part, Origin about) {
    int equals = part.indexOf('=');
    String name = (equals < 0 ? part : part.substring(0, equals)).strip();
    VolumeKey key =
        VolumeKey.find(name)
            .filter(found -> VolumeKey.options().contains(found))
            .orElseThrow(() -> unknown(name, about));
    if (equals < 0 && !key.isSwitch()) {
      throw new ConfigException(about, name + " needs a value: " + key.description());
    }
    String value = equals < 0 ? "on" : part.substring(equals + 1);
    volume.put(key, new RawValue(value, about.about(name)));
  }

  private static ConfigException unknown(String name, Origin about) {
    List<String> names = VolumeKey.options().stream().map(VolumeKey::key).toList();
    return new ConfigException(
        about,
        "unknown key "
            + Quoting.quote(name)
            + "; the nearest is "
            + Nearest.to(name, names)
            + " (a comma in a path is written \\,)");
  }
}

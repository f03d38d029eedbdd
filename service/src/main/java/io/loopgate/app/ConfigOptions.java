package io.loopgate.app;

import io.loopgate.config.ConfigKey;
import io.loopgate.config.VolumeKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** One option for each key of the configuration. Their values are texts: config parses them. */
final class ConfigOptions {
  private ConfigOptions() {}

  static void addTo(CommandSpec spec) {
    ConfigKey.all().forEach(key -> spec.addOption(option(key)));
  }

  /** Returns what the user gave, by key. */
  static Map<ConfigKey, List<String>> read(ParseResult parsed) {
    Map<ConfigKey, List<String>> flags = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.all()) {
      if (!parsed.hasMatchedOption(key.flag())) {
        continue;
      }
      if (key == ConfigKey.VOLUME) {
        flags.put(key, parsed.matchedOptionValue(key.flag(), List.of()));
      } else {
        flags.put(key, List.of(parsed.matchedOptionValue(key.flag(), "")));
      }
    }
    return flags;
  }

  private static OptionSpec option(ConfigKey key) {
    OptionSpec.Builder builder =
        OptionSpec.builder(key.flag())
            .paramLabel(key.placeholder())
            .description(description(key).toArray(String[]::new));
    return switch (key) {
      case VOLUME -> builder.type(List.class).auxiliaryTypes(String.class).arity("1").build();
      case UNSAFE_INLINE -> builder.type(String.class).arity("0..1").fallbackValue("true").build();
      default -> builder.type(String.class).arity("1").build();
    };
  }

  private static List<String> description(ConfigKey key) {
    List<String> lines = new ArrayList<>();
    lines.add(
        key.defaultText().isEmpty()
            ? key.description()
            : key.description() + " Default: " + key.defaultText());
    if (key == ConfigKey.VOLUME) {
      lines.add("The path: " + VolumeKey.PATH.description() + ".");
      lines.add("After it, with the default in brackets:");
      VolumeKey.options().forEach(option -> lines.add("  " + describe(option)));
      lines.add("A comma in a path is written \\, and between segments a plus sign \\+");
      lines.add("Without any volume and with an empty data folder: demo, 1GiB.");
    }
    return lines;
  }

  private static String describe(VolumeKey option) {
    return option.key() + "=" + option.description();
  }
}

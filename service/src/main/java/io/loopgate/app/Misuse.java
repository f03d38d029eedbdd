package io.loopgate.app;

import io.loopgate.config.ConfigKey;
import io.loopgate.config.Nearest;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line what is wrong with a command line. */
final class Misuse {
  private Misuse() {}

  static String describe(ParameterException exception) {
    CommandSpec spec = exception.getCommandLine().getCommandSpec();
    if (exception instanceof UnmatchedArgumentException unmatched) {
      return unmatched(spec, unmatched.getUnmatched().getFirst());
    }
    String message = String.valueOf(exception.getMessage()).lines().findFirst().orElse("");
    return message + "; see " + spec.qualifiedName() + " --help";
  }

  private static String unmatched(CommandSpec spec, String argument) {
    if (argument.startsWith("-")) {
      return unknownOption(spec, argument.split("=", 2)[0]);
    }
    if (spec.subcommands().isEmpty()) {
      return "unexpected argument " + quote(argument) + "; see " + spec.qualifiedName() + " --help";
    }
    return "unknown command "
        + quote(argument)
        + "; the nearest is "
        + Nearest.to(argument, spec.subcommands().keySet());
  }

  private static String unknownOption(CommandSpec spec, String option) {
    boolean isKey = ConfigKey.all().stream().anyMatch(key -> key.flag().equals(option));
    if (isKey) {
      return "option " + option + " belongs after a command: loopgate serve " + option + " ...";
    }
    List<String> known = spec.options().stream().map(OptionSpec::longestName).toList();
    return "unknown option " + quote(option) + "; the nearest is " + Nearest.to(option, known);
  }

  private static String quote(String text) {
    return '"' + text.replaceAll("\\p{Cntrl}", "?") + '"';
  }
}

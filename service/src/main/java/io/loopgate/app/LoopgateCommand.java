package io.loopgate.app;

import io.loopgate.config.ConfigException;
import io.loopgate.config.ConfigLoader;
import io.loopgate.config.EffectiveConfig;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line: {@code serve}, {@code config}, {@code version} and {@code help}. */
final class LoopgateCommand {
  /** Exit code when all went well. */
  static final int SUCCESS = 0;

  /** Exit code when something failed at work. */
  static final int FAILURE = 1;

  /** Exit code when what the user wrote cannot be used. */
  static final int USAGE = 2;

  private static final String NAME = "loopgate";
  private static final int WIDTH_COLUMNS = 100;

  private static final String[] FOOTER = {
    "",
    "Every option of serve and config is also a variable (--data-dir is LOOPGATE_DATA_DIR) and a",
    "key of the YAML file that --config names. Options win over variables, variables over YAML.",
    "",
    "Exit codes: 0 success, 1 failure, 2 wrong usage or configuration."
  };

  private final ServerStarter starter;
  private final Map<String, String> environment;
  private final PrintWriter out;
  private final PrintWriter err;

  LoopgateCommand(
      ServerStarter starter, Map<String, String> environment, PrintWriter out, PrintWriter err) {
    this.starter = starter;
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.err = err;
  }

  /** Runs what the arguments ask for, and returns the exit code. */
  int run(String... args) {
    int code = commandLine().execute(args);
    out.flush();
    err.flush();
    return code;
  }

  private CommandLine commandLine() {
    CommandSpec root = spec(NAME, "Block storage over HTTP.");
    root.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Print the version and exit.")
            .build());
    root.version(Version.lines().toArray(String[]::new));
    root.usageMessage().footer(FOOTER);
    CommandSpec serve = spec("serve", "Serve volumes until told to stop.");
    CommandSpec config = spec("config", "Print the effective configuration as YAML.");
    ConfigOptions.addTo(serve);
    ConfigOptions.addTo(config);
    root.addSubcommand("serve", serve);
    root.addSubcommand("config", config);
    root.addSubcommand(
        "train", spec("train", "Use a server of its own once and exit: for the JVM's AOT cache."));
    root.addSubcommand("version", spec("version", "Print the version, Java and system."));
    root.addSubcommand("help", CommandSpec.forAnnotatedObject(new HelpCommand()));
    return new CommandLine(root)
        .setOut(out)
        .setErr(err)
        // A value is what was written: no file is read for @name.
        .setExpandAtFiles(false)
        .setPosixClusteredShortOptionsAllowed(false)
        .setExecutionStrategy(this::execute)
        .setParameterExceptionHandler((exception, args) -> misused(exception));
  }

  private static CommandSpec spec(String name, String description) {
    CommandSpec spec = CommandSpec.create().name(name);
    spec.usageMessage()
        .description(description)
        .width(WIDTH_COLUMNS)
        .abbreviateSynopsis(true)
        .sortOptions(false);
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Print this help and exit.")
            .build());
    return spec;
  }

  private int execute(ParseResult parsed) {
    @Nullable Integer helped = CommandLine.executeHelpRequest(parsed);
    if (helped != null) {
      return helped;
    }
    if (!parsed.hasSubcommand()) {
      parsed.commandSpec().commandLine().usage(err);
      return USAGE;
    }
    try {
      return dispatch(parsed.subcommand());
    } catch (ConfigException e) {
      err.println(NAME + ": " + e.line());
      return USAGE;
    } catch (UncheckedIOException e) {
      err.println(NAME + ": " + e.getMessage());
      return FAILURE;
    } catch (RuntimeException e) {
      err.println(NAME + ": failed unexpectedly");
      e.printStackTrace(err);
      return FAILURE;
    }
  }

  private int dispatch(ParseResult command) {
    return switch (command.commandSpec().name()) {
      case "serve" -> starter.run(load(command).config());
      case "config" -> {
        out.print(load(command).toYaml());
        yield SUCCESS;
      }
      case "train" -> Training.run(err);
      default -> {
        Version.lines().forEach(out::println);
        yield SUCCESS;
      }
    };
  }

  private EffectiveConfig load(ParseResult command) {
    return ConfigLoader.load(ConfigOptions.read(command), environment);
  }

  private int misused(ParameterException exception) {
    err.println(NAME + ": " + Misuse.describe(exception));
    return USAGE;
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.control.Stop;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the benchmarks. */
@Command(
    name = "loopgate bench",
    description = "Measures engines against each other, and against what others made.",
    subcommands = HelpCommand.class)
final class BenchCommand implements Runnable {
  /** Exit code when all went well. */
  static final int SUCCESS = 0;

  /** Exit code when a run failed, or was interrupted. */
  static final int FAILURE = 1;

  /** Exit code when what the user wrote cannot be used. */
  static final int USAGE = 2;

  private static final int WIDTH_COLUMNS = 100;

  private static final String ENGINES = "Compare engines in this process, without HTTP.";
  private static final String HTTP = "Load a server that runs already.";
  private static final String SEEDS =
      "Measure what five mails to kernel lists published, and show their ratios beside ours.";
  private static final String PEERS = "Compare with what others made.";
  private static final String PEERS_ENGINES =
      "Compare engines with fio on the same file and with the kernel's loop device over it.";

  private static final String PEERS_HTTP =
      "Compare the server with nginx and others over one file.";

  private final Stop stop;
  private final PrintWriter out;
  private final PrintWriter err;

  @Spec private CommandSpec spec = CommandSpec.create();

  BenchCommand(Stop stop, PrintWriter out, PrintWriter err) {
    this.stop = stop;
    this.out = out;
    this.err = err;
  }

  /** Runs what the arguments ask for, and returns the exit code. */
  int run(String... args) {
    CommandLine line = new CommandLine(this);
    Console console = new Console(commandLine(args), stop, out, err);
    line.addSubcommand("engines", described(new EnginesCommand(console, false), ENGINES));
    line.addSubcommand("http", described(new HttpCommand(console), HTTP));
    line.addSubcommand("seeds", described(new SeedsCommand(console), SEEDS));
    CommandLine peers = new CommandLine(CommandSpec.create());
    peers.getCommandSpec().usageMessage().description(PEERS);
    peers.addSubcommand("engines", described(new EnginesCommand(console, true), PEERS_ENGINES));
    peers.addSubcommand("http", described(new PeersHttpCommand(console), PEERS_HTTP));
    line.addSubcommand("peers", peers);
    addHelp(line);
    int code =
        line.setOut(out)
            .setErr(err)
            .setUsageHelpWidth(WIDTH_COLUMNS)
            .setUsageHelpAutoWidth(false)
            .setExpandAtFiles(false)
            .setParameterExceptionHandler((exception, _) -> misused(exception))
            .setExecutionExceptionHandler((exception, _, _) -> failed(exception))
            .execute(args);
    out.flush();
    err.flush();
    return code;
  }

  /** Returns what a shell would take as the same command. */
  private static String commandLine(String... args) {
    StringBuilder text = new StringBuilder("loopgate bench");
    for (String arg : args) {
      boolean plain = arg.matches("[A-Za-z0-9_./:,=+-]+");
      text.append(' ').append(plain ? arg : "'" + arg.replace("'", "'\\''") + "'");
    }
    return text.toString();
  }

  private static CommandLine described(Object command, String description) {
    CommandLine line = new CommandLine(command);
    line.getCommandSpec().usageMessage().description(description);
    return line;
  }

  private static void addHelp(CommandLine line) {
    if (line.getCommandSpec().findOption("--help") == null) {
      line.getCommandSpec()
          .addOption(
              OptionSpec.builder("-h", "--help")
                  .usageHelp(true)
                  .description("Print this help and exit.")
                  .build());
    }
    line.getSubcommands().values().forEach(BenchCommand::addHelp);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command: " + spec.subcommands().keySet());
  }

  private int misused(ParameterException exception) {
    CommandSpec of = exception.getCommandLine().getCommandSpec();
    String message = String.valueOf(exception.getMessage()).lines().findFirst().orElse("");
    err.println("loopgate bench: " + message + "; see " + of.qualifiedName() + " --help");
    return USAGE;
  }

  private int failed(Exception exception) {
    if (exception instanceof IllegalArgumentException) {
      err.println("loopgate bench: " + exception.getMessage());
      return USAGE;
    }
    if (exception instanceof UncheckedIOException) {
      err.println("loopgate bench: " + exception.getMessage());
      return FAILURE;
    }
    err.println("loopgate bench: failed unexpectedly");
    exception.printStackTrace(err);
    return FAILURE;
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.compare.Timing;
import io.loopgate.config.Units;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that measures. */
final class RunOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "Rounds that count; contenders alternate within each (default: ${DEFAULT-VALUE}).")
  int rounds = 5;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "How long each run is measured (default: ${DEFAULT-VALUE}).")
  String time = "3s";

  @Option(
      names = "--ramp",
      paramLabel = "TIME",
      description = "How long each run goes on before that (default: ${DEFAULT-VALUE}).")
  String ramp = "500ms";

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      description =
          "How long each contender runs before the first round (default: ${DEFAULT-VALUE}).")
  String warmUp = "3s";

  /** Whether the warm-up goes on until it is warm. */
  private boolean steady;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  private String json = "";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the results as one page with charts.")
  private String html = "";

  /** For servers: they are warmed until they are warm, which takes a while. */
  static RunOptions ofServers() {
    RunOptions options = new RunOptions();
    options.warmUp = "20s";
    options.steady = true;
    return options;
  }

  /** For a server that somebody else started, and probably wants to see loaded once. */
  static RunOptions ofOneServer() {
    RunOptions options = new RunOptions();
    options.rounds = 1;
    options.warmUp = "2s";
    options.time = "10s";
    return options;
  }

  Optional<Path> json() {
    return file(json);
  }

  Optional<Path> html() {
    return file(html);
  }

  private static Optional<Path> file(String name) {
    return name.isEmpty() ? Optional.empty() : Optional.of(Path.of(name));
  }

  Timing timing() {
    return new Timing(
        rounds,
        Units.parseDuration(warmUp),
        Units.parseDuration(ramp),
        Units.parseDuration(time),
        steady);
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.compare.Timing;
import io.loopgate.bench.machine.Processors;
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

  @Option(
      names = "--dir",
      paramLabel = "FOLDER",
      description = "Where files are made (default: ${DEFAULT-VALUE}).")
  Path folder = Path.of("bench-data");

  @Option(names = "--keep", description = "Leave the files there afterwards.")
  boolean keep;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "How large the files are (default: ${DEFAULT-VALUE}).")
  String size = "256MiB";

  @Option(
      names = "--livecd-source",
      paramLabel = "FOLDER",
      description = "What the image of a live CD is made from (default: ${DEFAULT-VALUE}).")
  Path liveCdSource = Path.of("/usr/share");

  @Option(
      names = "--cpus",
      paramLabel = "LIST",
      description = "Processors to run on, such as 0 or 0-1 (default: all that are allowed).")
  String processors = "";

  @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
  private String json = "";

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the results as one page with charts.")
  private String html = "";

  /** Returns how many processors the process will have. */
  int processorCount() {
    return processors.isEmpty()
        ? Runtime.getRuntime().availableProcessors()
        : Processors.count(processors);
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
        rounds, Units.parseDuration(warmUp), Units.parseDuration(ramp), Units.parseDuration(time));
  }

  long sizeBytes() {
    return Units.parseBytes(size);
  }
}

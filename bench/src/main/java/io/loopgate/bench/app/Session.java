package io.loopgate.bench.app;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Progress;
import io.loopgate.bench.compare.Rounds;
import io.loopgate.bench.compare.Row;
import io.loopgate.bench.compare.Timing;
import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.LiveCdImage;
import io.loopgate.bench.files.Workbench;
import io.loopgate.bench.machine.Facts;
import io.loopgate.bench.machine.Processors;
import io.loopgate.bench.report.HtmlReport;
import io.loopgate.bench.report.JsonReport;
import io.loopgate.bench.report.Report;
import io.loopgate.bench.report.Tables;
import io.loopgate.bench.seed.SeedResult;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of a command that measures: from the first file made to the last line written. For the
 * main thread.
 */
final class Session implements AutoCloseable {
  private final RunOptions options;
  private final String commandLine;
  private final Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final Stop stop;
  private final PrintWriter out;
  private final Timing timing;
  private final Workbench workbench;
  private final Rounds rounds;
  private final List<Comparison> comparisons = new ArrayList<>();
  private final List<SeedResult> seeds = new ArrayList<>();
  private final Map<String, String> moreFacts = new LinkedHashMap<>();

  /**
   * Begins one: nothing is measured yet, but what cannot work is refused.
   *
   * @param processors to run on, as {@code 0-3,6}; empty: all that are allowed
   * @throws IllegalArgumentException if an option means nothing
   */
  Session(
      RunOptions options,
      FileFlags files,
      LiveCdFlags liveCdFlags,
      String processors,
      Console console) {
    this.options = options;
    this.commandLine = console.commandLine();
    this.stop = console.stop();
    this.out = console.out();
    this.timing = options.timing();
    options.json().ifPresent(Session::requireWritable);
    options.html().ifPresent(Session::requireWritable);
    if (!processors.isEmpty()) {
      Processors.allow(processors);
    }
    LiveCdImage liveCd = new LiveCdImage(liveCdFlags.source, BuildFolder.path(), stop);
    this.workbench = new Workbench(files.folder, files.keep, liveCd, stop);
    this.rounds = new Rounds(workbench, timing, new Progress(console.err()), stop);
  }

  private static void requireWritable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
      throw new IllegalArgumentException(
          "cannot write " + file + ": no such folder, or not a file");
    }
  }

  /** Makes known what else has to be known to make sense of the figures. */
  void addFacts(Map<String, String> facts) {
    moreFacts.putAll(facts);
  }

  /** Makes known how many contenders a workload will have. */
  void plan(int contenders) {
    rounds.plan(contenders);
  }

  /** Measures a workload; nothing, if the user wants to stop. */
  Optional<Comparison> measure(Workload workload, List<Contender> contenders, String baseline) {
    return stop.isRequested()
        ? Optional.empty()
        : Optional.of(rounds.run(workload, contenders, baseline));
  }

  /** Says something that is no result. */
  void say(String line) {
    rounds.say(line);
  }

  /** Shows a comparison and keeps it for the report. */
  void add(Comparison comparison) {
    comparisons.add(comparison);
    show(Tables.lines(comparison));
  }

  /** Shows an experiment and keeps it for the report. */
  void add(SeedResult seed) {
    seeds.add(seed);
    show(Tables.lines(seed.comparison()));
    show(Tables.lines(seed));
  }

  private void show(List<String> lines) {
    lines.forEach(out::println);
    out.println();
    out.flush();
  }

  /** Writes the reports, and returns the exit code. */
  int finish() {
    boolean interrupted = stop.isRequested();
    if (interrupted) {
      out.println("interrupted: what is above is what was done until then");
    }
    Map<String, String> facts = Facts.collect(workbench.folder());
    facts.putAll(moreFacts);
    Report report =
        new Report(commandLine, started, facts, timing, interrupted, comparisons, seeds);
    options.json().ifPresent(file -> write(file, JsonReport.of(report)));
    options.html().ifPresent(file -> write(file, HtmlReport.of(report)));
    return interrupted || anyFailed() ? BenchCommand.FAILURE : BenchCommand.SUCCESS;
  }

  private boolean anyFailed() {
    List<Comparison> all = new ArrayList<>(comparisons);
    seeds.forEach(seed -> all.add(seed.comparison()));
    return all.stream()
        .flatMap(comparison -> comparison.rows().stream())
        .anyMatch(row -> row.state() == Row.State.FAILED);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    workbench.close();
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.compare.Progress;
import io.loopgate.bench.compare.Rounds;
import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.EngineContender;
import io.loopgate.bench.contender.EngineSetup;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.Processors;
import io.loopgate.bench.report.Tables;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.target.LiveCdImage;
import io.loopgate.bench.target.Workbench;
import io.loopgate.engine.EngineSelector;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "engines",
    description = "Compare engines in this process, without HTTP.",
    sortOptions = false)
final class EnginesCommand implements Callable<Integer> {
  private final Stop stop;
  private final PrintWriter out;
  private final PrintWriter err;

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      split = ",",
      description =
          "Engines, separated by commas, each as NAME[:ARGUMENT][/OPTION=VALUE...], such as"
              + " workers:4/queues=2 (default: ${DEFAULT-VALUE}).")
  private List<String> engines =
      new ArrayList<>(List.of("single", "workers:4", "inline", "aio", "uring"));

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "The one of them that the others are compared with (default: the first).")
  private String baseline = "";

  @Mixin private ShapeFlags shape = new ShapeFlags();
  @Mixin private EngineFlags engineFlags = new EngineFlags();
  @Mixin private RunOptions options = new RunOptions();

  EnginesCommand(Stop stop, PrintWriter out, PrintWriter err) {
    this.stop = stop;
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    List<Workload> workloads = shape.workloads(options.sizeBytes());
    EngineSetup defaults = engineFlags.defaults();
    EngineSelector selector = new EngineSelector();
    List<Contender> contenders = new ArrayList<>();
    for (String text : engines) {
      contenders.add(new EngineContender(defaults.parse(text), selector));
    }
    if (!options.processors.isEmpty()) {
      Processors.allow(options.processors);
    }
    Progress progress = new Progress(err);
    List<Comparison> done = new ArrayList<>();
    try (Workbench workbench =
        new Workbench(
            options.folder,
            options.keep,
            new LiveCdImage(options.liveCdSource, Path.of("bench/target"), stop),
            stop)) {
      Rounds rounds = new Rounds(workbench, options.timing(), progress, stop);
      workloads.forEach(_ -> rounds.plan(contenders.size()));
      for (Workload workload : workloads) {
        if (!stop.isRequested()) {
          done.add(
              rounds.run(workload, contenders, baseline.isEmpty() ? engines.getFirst() : baseline));
          Tables.lines(done.getLast()).forEach(out::println);
        }
      }
    }
    return stop.isRequested() ? BenchCommand.FAILURE : BenchCommand.SUCCESS;
  }
}

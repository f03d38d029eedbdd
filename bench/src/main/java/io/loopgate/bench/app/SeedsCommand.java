package io.loopgate.bench.app;

import io.loopgate.bench.contender.Contenders;
import io.loopgate.bench.seed.Experiment;
import io.loopgate.bench.seed.Experiments;
import io.loopgate.bench.seed.SeedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code seeds}: the figures of the mails, measured again. */
@Command(sortOptions = false)
final class SeedsCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--only",
      paramLabel = "MAIL",
      split = ",",
      description =
          "Only these mails: dm-loop-2025, blk-mq-2014, multiple-workers-2020, max-active-2015,"
              + " dm-polling-2021.")
  private List<String> only = new ArrayList<>();

  @Mixin private EngineFlags engineFlags = new EngineFlags();
  @Mixin private RunOptions options = new RunOptions();
  @Mixin private FileFlags files = new FileFlags();
  @Mixin private LiveCdFlags liveCd = new LiveCdFlags();
  @Mixin private CpuFlags cpus = new CpuFlags();

  SeedsCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Experiments all = new Experiments(files.sizeBytes());
    List<Experiment> experiments =
        (only.isEmpty() ? all.ids() : only).stream().flatMap(id -> all.of(id).stream()).toList();
    Contenders contenders = new Contenders(engineFlags.defaults(cpus.count()));
    try (Session session = new Session(options, files, liveCd, cpus.list, console)) {
      experiments.forEach(experiment -> session.plan(experiment.contenders().size()));
      for (Experiment experiment : experiments) {
        session
            .measure(
                experiment.workload(),
                contenders.parse(experiment.contenders()),
                experiment.contenders().getFirst())
            .ifPresent(
                comparison -> session.add(SeedResult.of(experiment, comparison, cpus.count())));
      }
      return session.finish();
    }
  }
}

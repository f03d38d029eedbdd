package io.loopgate.bench.app;

import io.loopgate.bench.contender.Contenders;
import io.loopgate.bench.shape.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code engines}, and {@code peers engines}, which is the same with others beside them. */
@Command(sortOptions = false)
final class EnginesCommand implements Callable<Integer> {
  private final Console console;
  private final boolean withPeers;

  @Option(
      names = "--engines",
      paramLabel = "LIST",
      split = ",",
      description =
          "Engines, separated by commas, each as NAME[:ARGUMENT][/OPTION=VALUE...], such as"
              + " workers:4/queues=2; or fio:psync, fio:libaio, fio:io_uring, loopdev:direct,"
              + " loopdev:buffered (default: ${DEFAULT-VALUE}).")
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
  @Mixin private FileFlags files = new FileFlags();
  @Mixin private LiveCdFlags liveCd = new LiveCdFlags();
  @Mixin private CpuFlags cpus = new CpuFlags();

  EnginesCommand(Console console, boolean withPeers) {
    this.console = console;
    this.withPeers = withPeers;
  }

  @Override
  public Integer call() {
    List<Workload> workloads = shape.workloads(files.sizeBytes());
    Contenders contenders = new Contenders(engineFlags.defaults(cpus.count()));
    workloads.forEach(workload -> requireBaseline(names(workload)));
    workloads.forEach(workload -> contenders.parse(names(workload)));
    try (Session session = new Session(options, files, liveCd, cpus.list, console)) {
      workloads.forEach(workload -> session.plan(names(workload).size()));
      for (Workload workload : workloads) {
        List<String> names = names(workload);
        session.measure(workload, contenders.parse(names), baseline(names)).ifPresent(session::add);
      }
      return session.finish();
    }
  }

  private List<String> names(Workload workload) {
    List<String> names = new ArrayList<>();
    if (withPeers) {
      names.addAll(Contenders.peersOf(workload.access()));
      names.removeAll(engines);
    }
    names.addAll(engines);
    return names;
  }

  private void requireBaseline(List<String> names) {
    if (!names.contains(baseline(names))) {
      throw new IllegalArgumentException(
          "the baseline " + baseline + " is none of " + String.join(", ", names));
    }
  }

  private String baseline(List<String> names) {
    return baseline.isEmpty() ? names.getFirst() : baseline;
  }
}

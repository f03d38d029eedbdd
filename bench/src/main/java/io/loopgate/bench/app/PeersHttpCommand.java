package io.loopgate.bench.app;

import io.loopgate.bench.machine.Processors;
import io.loopgate.bench.peer.Clients;
import io.loopgate.bench.peer.Peers;
import io.loopgate.bench.peer.Place;
import io.loopgate.bench.shape.HttpShapes;
import io.loopgate.bench.shape.HttpShapes.HttpShape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code peers http}: servers on the same file, one after the other. */
@Command(sortOptions = false)
final class PeersHttpCommand implements Callable<Integer> {
  private final Console console;

  @Option(
      names = "--shape",
      paramLabel = "NAME",
      split = ",",
      description =
          "Named shapes: get4k, get1m; or one of a series, such as get4k-16 (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> shapes = new ArrayList<>(List.of("get4k-16"));

  @Option(
      names = "--contenders",
      paramLabel = "LIST",
      split = ",",
      description =
          "Servers, separated by commas, each as NAME[/OPTION=VALUE...], such as"
              + " loopgate/transport=io_uring/engine=aio (default: those that suit a shape).")
  private List<String> contenders = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "The one of them that the others are compared with (default: the first).")
  private String baseline = "";

  @Option(
      names = "--no-pin",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Let servers and client share all processors (default: one for the servers, the next for"
              + " the client).")
  private boolean pinned = true;

  @Option(
      names = "--loopgate",
      paramLabel = "COMMAND",
      description = "What starts loopgate, words between spaces (default: this build).")
  private String loopgate = "";

  @Mixin private RunOptions options = RunOptions.ofServers();
  @Mixin private FileFlags files = new FileFlags();

  PeersHttpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    HttpShapes named = new HttpShapes(files.sizeBytes());
    List<HttpShape> chosen = shapes.stream().flatMap(name -> named.named(name).stream()).toList();
    Pinning pinning = Pinning.choose(pinned);
    String before = Processors.allowed();
    try (WorkFolder folder = WorkFolder.make();
        Session session =
            new Session(options, files, new LiveCdFlags(), pinning.client(), console)) {
      Place place = new Place(folder.path(), pinning.server(), loopgateCommand(), console.stop());
      Peers peers = new Peers(place, new Clients(pinning.clientCount()));
      chosen.forEach(shape -> peers.parse(names(shape)));
      chosen.forEach(shape -> session.plan(names(shape).size()));
      for (HttpShape shape : chosen) {
        List<String> names = names(shape);
        session
            .measure(shape.workload(), peers.parse(names), baseline(names))
            .ifPresent(session::add);
      }
      return session.finish();
    } finally {
      Processors.allow(before);
    }
  }

  private List<String> loopgateCommand() {
    return loopgate.isEmpty()
        ? List.of(BuildFolder.launcher().toString())
        : List.of(loopgate.split(" +"));
  }

  private List<String> names(HttpShape shape) {
    return contenders.isEmpty() ? shape.contenders() : contenders;
  }

  private String baseline(List<String> names) {
    if (baseline.isEmpty()) {
      return names.getFirst();
    }
    if (!names.contains(baseline)) {
      throw new IllegalArgumentException(
          "the baseline " + baseline + " is none of " + String.join(", ", names));
    }
    return baseline;
  }
}

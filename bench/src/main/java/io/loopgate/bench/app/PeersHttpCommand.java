package io.loopgate.bench.app;

import io.loopgate.bench.compare.Comparison;
import io.loopgate.bench.machine.Facts;
import io.loopgate.bench.machine.Processors;
import io.loopgate.bench.peer.Clients;
import io.loopgate.bench.peer.Peers;
import io.loopgate.bench.peer.Place;
import io.loopgate.bench.shape.HttpShapes;
import io.loopgate.bench.shape.HttpShapes.HttpShape;
import io.loopgate.bench.stats.Measurement;
import io.loopgate.bench.stats.Spread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code peers http}: servers on the same file, one after the other. */
@Command(sortOptions = false)
final class PeersHttpCommand implements Callable<Integer> {
  private static final String PEAK_OF = "nginx";

  private final Console console;

  @Option(
      names = "--shape",
      paramLabel = "NAME",
      split = ",",
      description =
          "Named shapes: get4k, get1m, getall, get4k-cold-direct, put4k-writeback, put4k-durable,"
              + " queue-read16, queue-write16, queue-read1, get4k-rate; or one of a series, such as get4k-16 (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> shapes = new ArrayList<>(List.of("get4k-16"));

  @Option(
      names = "--contenders",
      paramLabel = "LIST",
      split = ",",
      description =
          "Servers, separated by commas, each as NAME[/OPTION=VALUE...], such as"
              + " loopgate/transport=io_uring/engine=aio; there are loopgate, nginx, nbdkit,"
              + " qemu-nbd; and fdatasync:1, fio:psync, fio:libaio, fio:io_uring on the file itself"
              + " (default: those that suit a shape).")
  private List<String> contenders = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "The one of them that the others are compared with (default: the first).")
  private String baseline = "";

  @Option(
      names = "--pin",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether servers have one processor and the client the next, or both have all (default:"
              + " ${DEFAULT-VALUE}).")
  private boolean pinned = true;

  @Option(
      names = "--client",
      paramLabel = "own|wrk",
      description =
          "What loads servers of HTTP: the load generator of this build, or wrk, for get4k, get1m"
              + " and put4k (default: ${DEFAULT-VALUE}).")
  private String client = "own";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Commands that begin each second in get4k-rate (default: 70 %% of what nginx answers).")
  private double rate;

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
    boolean wrk = isWrk();
    Pinning pinning = Pinning.choose(pinned);
    String before = Processors.allowed();
    try (WorkFolder folder = WorkFolder.make();
        Session session =
            new Session(options, files, new LiveCdFlags(), pinning.client(), console)) {
      Place place = new Place(folder.path(), pinning.server(), loopgateCommand(), console.stop());
      Path scripts = BuildFolder.module().resolve("clients");
      Peers peers =
          new Peers(place, new Clients(wrk, scripts, pinning.clientCount(), session::say));
      chosen.forEach(shape -> peers.parse(names(shape)));
      chosen.forEach(shape -> plan(session, shape));
      for (HttpShape shape : chosen) {
        rated(session, peers, shape).ifPresent(each -> measure(session, peers, each));
      }
      session.addFacts(Facts.ofServers());
      session.addFacts(pinning.facts());
      return session.finish();
    } finally {
      Processors.allow(before);
    }
  }

  private boolean isWrk() {
    return switch (client) {
      case "own" -> false;
      case "wrk" -> true;
      default -> throw new IllegalArgumentException("client is own or wrk, not \"" + client + "\"");
    };
  }

  private void plan(Session session, HttpShape shape) {
    if (needsPeak(shape)) {
      session.plan(1);
    }
    session.plan(names(shape).size());
  }

  private boolean needsPeak(HttpShape shape) {
    return shape.peakShare() > 0 && rate == 0;
  }

  /** Returns the shape with its rate, if that is known or can be found out. */
  private Optional<HttpShape> rated(Session session, Peers peers, HttpShape shape) {
    if (shape.peakShare() == 0) {
      return Optional.of(shape);
    }
    if (rate > 0) {
      return Optional.of(shape.at(rate));
    }
    Optional<Comparison> closed =
        session.measure(shape.peak(), peers.parse(List.of(PEAK_OF)), PEAK_OF);
    closed.ifPresent(session::add);
    OptionalDouble peak =
        closed.flatMap(each -> each.row(PEAK_OF)).stream()
            .flatMap(row -> Spread.of(row.rounds(), Measurement::iops).stream())
            .mapToDouble(Spread::median)
            .findFirst();
    if (peak.isEmpty()) {
      session.say("  no peak of " + PEAK_OF + ", so no rate: give one with --rate");
      return Optional.empty();
    }
    return Optional.of(shape.at(Math.rint(peak.getAsDouble() * shape.peakShare())));
  }

  private void measure(Session session, Peers peers, HttpShape shape) {
    List<String> names = names(shape);
    session.measure(shape.workload(), peers.parse(names), baseline(names)).ifPresent(session::add);
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

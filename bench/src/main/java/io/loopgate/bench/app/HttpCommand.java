package io.loopgate.bench.app;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.http.Endpoint;
import io.loopgate.bench.http.HttpContender;
import io.loopgate.bench.http.Verification;
import io.loopgate.bench.http.VolumeSize;
import io.loopgate.bench.shape.Workload;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code http}: the load generator alone, against a server that somebody else started. */
@Command(sortOptions = false)
final class HttpCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      paramLabel = "URL",
      description = "Of a volume, http://HOST:PORT/v1/volumes/ID/data, or of a file to read.")
  private String url = "";

  @Option(
      names = "--verify",
      description =
          "Write all that is used first, and look at every byte that is read: it has to be what was"
              + " acknowledged last, or a write under way.")
  private boolean verify;

  @Option(
      names = "--loops",
      paramLabel = "N",
      description = "Event loops of the client at most (default: ${DEFAULT-VALUE}).")
  private int loops = 1;

  @Mixin private HttpFlags flags = new HttpFlags();
  @Mixin private RunOptions options = RunOptions.ofOneServer();
  @Mixin private CpuFlags cpus = new CpuFlags();

  HttpCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (loops < 1 || loops > Runtime.getRuntime().availableProcessors()) {
      throw new IllegalArgumentException("loops has to be 1 to the number of processors");
    }
    Endpoint endpoint = Endpoint.parse(url);
    flags.workload(url, 0);
    try (Session session =
        new Session(options, new FileFlags(), new LiveCdFlags(), cpus.list, console)) {
      long sizeBytes = flags.sizeBytes(VolumeSize.of(endpoint));
      Workload workload = flags.workload(endpoint.url(), sizeBytes);
      Contender contender =
          new HttpContender(
              endpoint, loops, session::say, verification(endpoint, workload, sizeBytes));
      session.plan(1);
      session.measure(workload, List.of(contender), contender.name()).ifPresent(session::add);
      return session.finish();
    }
  }

  private Optional<Verification> verification(
      Endpoint endpoint, Workload workload, long sizeBytes) {
    if (!verify) {
      return Optional.empty();
    }
    if (workload.wire().orElseThrow().whole()) {
      throw new IllegalArgumentException("verify looks at blocks, not at whole volumes");
    }
    return Optional.of(
        new Verification(endpoint, workload.access().blockBytesMin(), sizeBytes, console.stop()));
  }
}

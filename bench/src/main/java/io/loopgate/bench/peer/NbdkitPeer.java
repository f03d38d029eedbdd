package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code nbdkit}: its file plugin over TCP. */
final class NbdkitPeer implements Peer {
  private static final String THREADS = "threads";
  private static final int THREADS_DEFAULT = 16;

  private final PeerOptions options;

  NbdkitPeer(PeerOptions options) {
    this.options = options.only(THREADS, NbdOptions.CONNECTIONS);
    options.count(THREADS, THREADS_DEFAULT);
    options.count(NbdOptions.CONNECTIONS, 1);
  }

  @Override
  public String name() {
    return options.text();
  }

  @Override
  public Optional<String> program() {
    return Optional.of("nbdkit");
  }

  @Override
  public Workload of(Workload workload) {
    return NbdOptions.divided(workload, options);
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    return workload.access().direct()
        ? Optional.of("nbdkit's file plugin has no direct I/O")
        : NbdOptions.unfit(workload);
  }

  @Override
  public RunningPeer start(Path file, Workload workload, Place place) {
    int port = ServerProcess.freePort();
    int threads = options.count(THREADS, THREADS_DEFAULT);
    ServerProcess process =
        ServerProcess.start(
            "nbdkit",
            List.of(
                "nbdkit",
                "-f",
                "-i",
                ServerProcess.LOOPBACK,
                "-p",
                Integer.toString(port),
                "-t",
                Integer.toString(threads),
                "file",
                file.toString()),
            place);
    return Starting.finish(
        process,
        () -> process.awaitPort(port, place.stop()),
        "nbd://" + ServerProcess.LOOPBACK + ":" + port,
        "file plugin, threads " + threads + "; " + NbdOptions.how(workload));
  }
}

package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code qemu-nbd}: the file as a raw image over TCP. */
final class QemuNbdPeer implements Peer {
  private static final String CACHE = "cache";
  private static final String AIO = "aio";
  private static final Set<String> CACHES = Set.of("writeback", "none");
  private static final Set<String> AIOS = Set.of("threads", "native", "io_uring");
  private static final String CLIENTS_MAX = "1024";

  private final PeerOptions options;

  QemuNbdPeer(PeerOptions options) {
    this.options = options.only(CACHE, AIO, NbdOptions.CONNECTIONS);
    options.count(NbdOptions.CONNECTIONS, 1);
    requireOneOf(CACHES, CACHE, cache(false));
    requireOneOf(AIOS, AIO, aio());
    if (aio().equals("native") && cache(false).equals("writeback")) {
      throw new IllegalArgumentException("qemu-nbd/aio=native needs cache=none");
    }
  }

  private static void requireOneOf(Set<String> valid, String option, String value) {
    if (!valid.contains(value)) {
      throw new IllegalArgumentException(
          "qemu-nbd/" + option + " is one of " + String.join(", ", valid) + ", not " + value);
    }
  }

  private String cache(boolean direct) {
    return options.get(CACHE, direct ? "none" : "writeback");
  }

  private String aio() {
    return options.get(AIO, "threads");
  }

  @Override
  public String name() {
    return options.text();
  }

  @Override
  public Optional<String> program() {
    return Optional.of("qemu-nbd");
  }

  @Override
  public Workload of(Workload workload) {
    return NbdOptions.divided(workload, options);
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    return NbdOptions.unfit(workload);
  }

  @Override
  public RunningPeer start(Path file, Workload workload, Place place) {
    int port = ServerProcess.freePort();
    String cache = cache(workload.access().direct());
    ServerProcess process = ServerProcess.start("qemu-nbd", command(file, port, cache), place);
    return Starting.finish(
        process,
        () -> process.awaitPort(port, place.stop()),
        "nbd://" + ServerProcess.LOOPBACK + ":" + port,
        "cache " + cache + ", aio " + aio() + "; " + NbdOptions.how(workload));
  }

  private List<String> command(Path file, int port, String cache) {
    return List.of(
        "qemu-nbd",
        "--persistent",
        "--shared=" + CLIENTS_MAX,
        "--bind=" + ServerProcess.LOOPBACK,
        "--port=" + port,
        "--cache=" + cache,
        "--aio=" + aio(),
        "--image-opts",
        // Others have the same file open; a comma in a name is written twice.
        "driver=raw,file.driver=file,file.locking=off,file.filename="
            + file.toString().replace(",", ",,"));
  }
}

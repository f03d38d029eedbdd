package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Workload;
import java.util.Optional;

/** What servers of NBD have in common. */
final class NbdOptions {
  /** Over how many connections the commands of a shape are divided. */
  static final String CONNECTIONS = "connections";

  private NbdOptions() {}

  /**
   * Returns the workload with as many commands under way over other connections.
   *
   * @throws IllegalArgumentException if they cannot be divided so
   */
  static Workload divided(Workload workload, PeerOptions options) {
    Access access = workload.access();
    int connections = options.count(CONNECTIONS, access.jobs());
    int all = access.commandsInFlight();
    if (all % connections != 0) {
      throw new IllegalArgumentException(
          options.text() + ": " + all + " commands are not to be divided by " + connections);
    }
    return new Workload(
        workload.name(),
        workload.target(),
        access.over(connections, all / connections),
        workload.wire());
  }

  /** Returns why no server of NBD can run a workload, if so. */
  static Optional<String> unfit(Workload workload) {
    return workload.wire().orElseThrow().isOpen()
        ? Optional.of("fio, which speaks NBD, has no rate that counts latencies from its schedule")
        : Optional.empty();
  }

  /** Returns a few words on how the load comes. */
  static String how(Workload workload) {
    Access access = workload.access();
    return "fio's nbd, connections " + access.jobs() + ", depth " + access.depth();
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.machine.Processors;
import java.util.List;
import java.util.Map;

/**
 * Which processors servers and their client have: one each, or both all.
 *
 * @param server list for servers; empty: all
 * @param client list for this process and the programs that load; empty: all
 * @param clientCount how many the client has
 */
record Pinning(String server, String client, int clientCount) {
  /** Returns what a report says of it. */
  Map<String, String> facts() {
    return Map.of(
        "servers and client",
        server.isEmpty()
            ? "on all processors"
            : "servers on processor " + server + ", client on " + client);
  }

  /**
   * Chooses.
   *
   * @param apart whether each has one of its own
   * @throws IllegalArgumentException if there are not enough
   */
  static Pinning choose(boolean apart) {
    if (!apart) {
      return new Pinning("", "", Runtime.getRuntime().availableProcessors());
    }
    List<Integer> allowed = Processors.numbers(Processors.allowed());
    if (allowed.size() < 2) {
      throw new IllegalArgumentException(
          "server and client need a processor each, and there is one: use --no-pin");
    }
    return new Pinning(allowed.get(0).toString(), allowed.get(1).toString(), 1);
  }
}

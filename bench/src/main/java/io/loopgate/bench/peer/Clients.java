package io.loopgate.bench.peer;

/**
 * What loads servers.
 *
 * @param loops how many event loops the own client has at most
 */
public record Clients(int loops) {
  Client http() {
    return new OwnClient(loops);
  }

  Client nbd() {
    return new FioNbdClient(loops);
  }
}

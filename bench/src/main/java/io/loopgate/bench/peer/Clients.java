package io.loopgate.bench.peer;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What loads servers.
 *
 * @param wrk whether wrk loads those that speak HTTP, and not the client of this build
 * @param scripts the folder of wrk's scripts
 * @param processors how many the clients have
 * @param progress is told what errors there were
 */
public record Clients(boolean wrk, Path scripts, int processors, Consumer<String> progress) {
  Client http() {
    return wrk ? new WrkClient(scripts, processors) : new OwnClient(processors, progress);
  }

  Client nbd() {
    return new FioNbdClient(processors);
  }
}

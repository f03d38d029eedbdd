package io.loopgate.bench.peer;

/**
 * A server that answers.
 *
 * @param process to be closed by whoever started it
 * @param url {@code http:} or {@code nbd:}
 * @param how it was set up, for reports
 */
record RunningPeer(ServerProcess process, String url, String how) implements AutoCloseable {
  @Override
  public void close() {
    process.close();
  }
}

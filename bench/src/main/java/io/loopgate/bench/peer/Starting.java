package io.loopgate.bench.peer;

/** The last step of a start: what does not come up is ended. */
final class Starting {
  private Starting() {}

  /** Waits, and returns the server; ends it when that fails. */
  static RunningPeer finish(ServerProcess process, Runnable wait, String url, String how) {
    boolean up = false;
    try {
      wait.run();
      up = true;
      return new RunningPeer(process, url, how);
    } finally {
      if (!up) {
        process.close();
      }
    }
  }
}

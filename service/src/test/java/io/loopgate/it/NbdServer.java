package io.loopgate.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** nbdkit with its curl plugin: a volume's URL as an NBD server on a Unix socket. */
final class NbdServer implements AutoCloseable {
  private final Tools.Background nbdkit;
  private final Path socket;

  private NbdServer(Tools.Background nbdkit, Path socket) {
    this.nbdkit = nbdkit;
    this.socket = socket;
  }

  /** Ends the test here unless nbdkit and its curl plugin are there. */
  static void require() throws IOException, InterruptedException {
    Tools.require("nbdkit");
    Tools.require(
        Tools.run(Tools.TIMEOUT, "nbdkit", "--dump-plugin", "curl").exit() == 0,
        "nbdkit has no curl plugin: apt-get install nbdkit");
  }

  /** Serves a URL for as long as it is not closed. */
  static NbdServer start(Path folder, String name, String url)
      throws IOException, InterruptedException {
    Path socket = folder.resolve(name + ".sock");
    Tools.Background nbdkit =
        Tools.start(
            "nbdkit", "--foreground", "--exit-with-parent", "--unix", socket, "curl", "url=" + url);
    try {
      Eventually.becomesTrue(
          "nbdkit listens: " + nbdkit, Duration.ofSeconds(20), () -> Files.exists(socket));
    } catch (AssertionError e) {
      nbdkit.close();
      throw e;
    }
    return new NbdServer(nbdkit, socket);
  }

  /** The address NBD clients are given. */
  String uri() {
    return "nbd+unix:///?socket=" + socket;
  }

  @Override
  public void close() throws IOException {
    nbdkit.close();
  }
}

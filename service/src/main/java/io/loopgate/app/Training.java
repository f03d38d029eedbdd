package io.loopgate.app;

import io.loopgate.config.HostPort;
import io.loopgate.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A server that starts on free ports over files of its own, is used once in every way that matters,
 * and stops: what a JVM has to have seen to write its ahead-of-time cache (JEP 514, 515).
 */
final class Training {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final List<String> ADMIN_PAGES =
      List.of("/", "/metrics", "/health/live", "/health/ready", "/health/startup");

  private Training() {}

  /** Returns the exit code of the process. */
  static int run(PrintWriter err) {
    try {
      Path folder = Files.createTempDirectory("loopgate-train-");
      try {
        return use(folder, err);
      } finally {
        remove(folder);
      }
    } catch (IOException | StartException e) {
      err.println("loopgate: no training: " + e.getMessage());
      return LoopgateCommand.FAILURE;
    }
  }

  private static int use(Path folder, PrintWriter err) throws IOException {
    HostPort anywhere = new HostPort("127.0.0.1", 0);
    ServerConfig config =
        ServerConfig.defaults().at(folder, anywhere, anywhere).withWarmUp(LONGEST);
    Server server = Server.start(config);
    boolean clean;
    try {
      server.report();
      server.becomeReady();
      for (String page : ADMIN_PAGES) {
        get(server.adminPort(), page);
      }
    } finally {
      clean = server.stop();
    }
    if (!clean) {
      err.println("loopgate: the server of the training did not stop cleanly");
    }
    return clean ? LoopgateCommand.SUCCESS : LoopgateCommand.FAILURE;
  }

  private static void get(int port, String page) throws IOException {
    try (InputStream in =
        URI.create("http://127.0.0.1:" + port + page).toURL().openConnection().getInputStream()) {
      in.readAllBytes();
    }
  }

  private static void remove(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}

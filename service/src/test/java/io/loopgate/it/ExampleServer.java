package io.loopgate.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The built program, started on free ports with a demo volume of its own. */
final class ExampleServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);
  private static final Pattern DATA_LINE = Pattern.compile("(?m)^data +http://(\\S+?)/?$");
  private static final Pattern ADMIN_LINE = Pattern.compile("(?m)^admin +http://(\\S+?)/?$");

  private final Process process;
  private final String dataAuthority;
  private final String adminAuthority;

  private ExampleServer(Process process, String dataAuthority, String adminAuthority) {
    this.process = process;
    this.dataAuthority = dataAuthority;
    this.adminAuthority = adminAuthority;
  }

  /** Starts it in a fresh folder and waits until it is ready. */
  static ExampleServer start(Path module, Path folder) throws IOException, InterruptedException {
    Path jar = module.resolve("target/loopgate.jar");
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException(jar + " is missing: build it with mvn verify");
    }
    Path log = folder.resolve("server.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-jar",
                    jar.toString(),
                    "serve",
                    "--listen",
                    "127.0.0.1:0",
                    "--admin",
                    "127.0.0.1:0",
                    "--data-dir",
                    folder.resolve("data").toString()))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    // The examples are of a server that nobody configured.
    builder.environment().keySet().removeIf(name -> name.startsWith("LOOPGATE_"));
    Process process = builder.start();
    try {
      long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
      String data = authority(process, log, DATA_LINE, deadline);
      String admin = authority(process, log, ADMIN_LINE, deadline);
      awaitReady(process, log, admin, deadline);
      return new ExampleServer(process, data, admin);
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String authority(Process process, Path log, Pattern line, long deadline)
      throws IOException, InterruptedException {
    while (true) {
      Matcher matcher = line.matcher(Files.readString(log));
      if (matcher.find()) {
        return matcher.group(1);
      }
      pause(process, log, deadline);
    }
  }

  private static void awaitReady(Process process, Path log, String admin, long deadline)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://" + admin + "/health/ready"))
              .timeout(Duration.ofSeconds(5))
              .build();
      while (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() != 200) {
        pause(process, log, deadline);
      }
    }
  }

  private static void pause(Process process, Path log, long deadline)
      throws IOException, InterruptedException {
    if (!process.isAlive() || System.nanoTime() - deadline > 0) {
      throw new IllegalStateException("the server did not start:\n" + Files.readString(log));
    }
    Thread.sleep(50);
  }

  /** Returns host and port of the data port. */
  String dataAuthority() {
    return dataAuthority;
  }

  /** Returns host and port of the admin port. */
  String adminAuthority() {
    return adminAuthority;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IllegalStateException("the server did not stop within " + STOP_TIMEOUT);
  }
}

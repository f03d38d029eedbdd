package io.loopgate.bench.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The server of this build as a process, from the classes under test. */
final class TestServer implements AutoCloseable {
  private static final String DATA = "data ";
  private static final String LAST_LINE = "fast path";

  private final Process process;
  private final String url;

  private TestServer(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /** Returns the command that starts the server, without its arguments. */
  static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-XX:MaxDirectMemorySize=192m",
        "-Xmx128m",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        "io.loopgate.app.Main");
  }

  /** Starts one with a volume {@code v} of this size. */
  static TestServer start(Path folder, String size) throws IOException {
    List<String> command = new ArrayList<>(command());
    command.addAll(
        List.of(
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin",
            "127.0.0.1:0",
            "--data-dir",
            folder.resolve("volumes").toString(),
            "--volume",
            "v=" + folder.resolve("v.img") + ",size=" + size));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(folder.resolve("server.err").toFile());
    // What is set around the tests is not for their server.
    builder.environment().keySet().removeIf(name -> name.startsWith("LOOPGATE_"));
    Process process = builder.start();
    String address = "";
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); ; line = lines.readLine()) {
      if (line == null) {
        process.destroyForcibly();
        throw new AssertionError("the server ended before it told where it listens");
      }
      if (line.startsWith(DATA)) {
        address = line.substring(DATA.length()).strip();
      }
      if (line.contains(LAST_LINE)) {
        return new TestServer(process, address + "/v1/volumes/v");
      }
    }
  }

  /** Returns the URL of the volume. */
  String url() {
    return url;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the server did not end");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IOException("interrupted", e);
    }
  }
}

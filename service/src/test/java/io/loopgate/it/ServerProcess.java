package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The packaged server as a process, with the launcher's JVM options and Netty's strictest leak
 * detection.
 *
 * <p>Closing ends it by SIGTERM and fails the test unless it exited with 0 and reported no leak.
 */
final class ServerProcess implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(60);
  private static final String ANY_PORT = "127.0.0.1:0";

  private final Tools.Background running;
  private final Process process;
  private URI data = URI.create("http://127.0.0.1");
  private URI admin = URI.create("http://127.0.0.1");

  private ServerProcess(Tools.Background running) {
    this.running = running;
    process = running.process();
  }

  /** Describes a server that runs in {@code folder} and keeps its data in a folder there. */
  static Builder in(Path folder) {
    return new Builder(folder);
  }

  /** Returns the root of this repository. */
  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      Path parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("no .mvn in any folder above the working directory");
      }
      folder = parent;
    }
    return folder;
  }

  /** How a server is to be started. */
  static final class Builder {
    private final Path folder;
    private final List<String> prefix = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final List<String> jvm = new ArrayList<>();
    private boolean demo;
    private boolean warm;

    private Builder(Path folder) {
      this.folder = folder;
    }

    /** Serves a volume, written as for {@code --volume}. */
    Builder volume(String volume) {
      return flags("--volume", volume);
    }

    /** Appends words to the command line. */
    Builder flags(String... words) {
      arguments.addAll(List.of(words));
      return this;
    }

    /** Starts the server through another command, which has to end in exec. */
    Builder through(String... command) {
      prefix.addAll(List.of(command));
      return this;
    }

    /** Lets the server warm up, which most tests have no time for. */
    Builder warm() {
      warm = true;
      return this;
    }

    /** Adds options of the JVM. */
    Builder jvm(String... options) {
      jvm.addAll(List.of(options));
      return this;
    }

    /** Names neither data folder nor volume, so that the server shows its demo. */
    Builder demo() {
      demo = true;
      return this;
    }

    /** Starts the server and waits until it is ready. */
    ServerProcess start() throws IOException, InterruptedException {
      return start(true);
    }

    /** Starts the server and waits until it serves, be it ready or not. */
    ServerProcess startUnready() throws IOException, InterruptedException {
      return start(false);
    }

    private ServerProcess start(boolean ready) throws IOException, InterruptedException {
      var server = new ServerProcess(launch());
      try {
        server.awaitAddresses();
        if (ready) {
          Eventually.becomesTrue("/health/ready is 200", START, server::isReady);
        }
      } catch (AssertionError e) {
        server.process.destroyForcibly().waitFor();
        throw new AssertionError(e.getMessage() + "\n" + server.running, e);
      }
      return server;
    }

    /** Runs a server that is expected to give up by itself. */
    Tools.Result runToExit() throws IOException, InterruptedException {
      try (Tools.Background running = launch()) {
        return running.awaitExit(START);
      }
    }

    /** Returns the packaged server. */
    static String jar() {
      return System.getProperty(
          "loopgate.jar", repository().resolve("service/target/loopgate.jar").toString());
    }

    private Tools.Background launch() throws IOException {
      var command = new ArrayList<>(prefix);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(
          List.of(
              "--enable-native-access=ALL-UNNAMED",
              "--sun-misc-unsafe-memory-access=allow",
              "-XX:MaxDirectMemorySize=192m",
              "-Xmx128m",
              "-XX:+UseSerialGC",
              "-Dio.netty.leakDetection.level=paranoid"));
      command.addAll(jvm);
      command.addAll(List.of("-jar", jar(), "serve", "--listen", ANY_PORT, "--admin", ANY_PORT));
      if (!warm) {
        command.addAll(List.of("--warm-up", "0s"));
      }
      if (!demo) {
        command.addAll(List.of("--data-dir", folder.resolve("volumes").toString()));
      }
      command.addAll(arguments);
      ProcessBuilder builder = Tools.builder(command).directory(folder.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("LOOPGATE_"));
      return new Tools.Background(builder.start(), command);
    }
  }

  private void awaitAddresses() throws InterruptedException {
    Eventually.becomesTrue(
        "a start-up report with both addresses",
        START,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the server exited with " + process.exitValue());
          }
          return address("data").isPresent() && address("admin").isPresent();
        });
    data = URI.create(address("data").orElseThrow());
    admin = URI.create(address("admin").orElseThrow());
  }

  private Optional<String> address(String name) {
    return running.stdout().after(name + " ").filter(text -> text.startsWith("http://"));
  }

  private boolean isReady() {
    try (Wire wire = new Wire(admin)) {
      return wire.exchange("GET", "/health/ready").status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Where volumes are served. */
  URI data() {
    return data;
  }

  /** Where metrics and health are served. */
  URI admin() {
    return admin;
  }

  /** The address of a volume's bytes, as given to tools. */
  String url(String volume) {
    return data + "/v1/volumes/" + volume + "/data";
  }

  /** Opens a connection for a volume. */
  VolumeClient client(String volume) throws IOException {
    return new VolumeClient(data, volume);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** The memory of the process that is in RAM now. */
  long rssBytes() {
    try (var lines = Files.lines(Path.of("/proc/" + pid() + "/status"))) {
      String line = lines.filter(each -> each.startsWith("VmRSS:")).findFirst().orElseThrow();
      return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
    } catch (IOException e) {
      throw new AssertionError("the server is gone", e);
    }
  }

  /** The processor time the process has used. */
  Duration cpuTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Returns what it has logged so far. */
  String log() {
    return running.stderr().text();
  }

  /** Sends SIGTERM and returns at once. */
  void terminate() {
    process.destroy();
  }

  /** Ends the process by SIGTERM: it has to exit with 0, and to have leaked nothing. */
  void stop() throws InterruptedException {
    terminate();
    Tools.Result result = running.awaitExit(STOP);
    assertNoLeak();
    assertThat(result.exit()).as("exit after SIGTERM\n%s", running).isZero();
  }

  /** Ends the process by SIGKILL. */
  void kill9() throws InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("still running after SIGKILL");
    }
    assertNoLeak();
  }

  private void assertNoLeak() throws InterruptedException {
    running.stdout().awaitEnd();
    running.stderr().awaitEnd();
    for (Output output : List.of(running.stdout(), running.stderr())) {
      int at = output.text().indexOf("LEAK:");
      if (at >= 0) {
        String text = output.text().substring(at);
        throw new AssertionError(text.substring(0, Math.min(4000, text.length())));
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (process.isAlive()) {
      try {
        stop();
      } catch (InterruptedException e) {
        throw Tools.interrupted(e);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Override
  public String toString() {
    return running.toString();
  }
}

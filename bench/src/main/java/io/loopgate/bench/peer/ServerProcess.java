package io.loopgate.bench.peer;

import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * A server as a process of its own, on the processors it is given; ended by its process id. For one
 * control thread.
 */
final class ServerProcess implements AutoCloseable {
  static final String LOOPBACK = "127.0.0.1";

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final int CONNECT_MILLIS = 1000;
  private static final long TERM_SECONDS = 15;
  private static final long KILL_SECONDS = 10;
  private static final int LINES_SHOWN = 10;

  private final String name;
  private final Path log;
  private final Process process;

  private ServerProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts one.
   *
   * @throws PeerException if there is no such program
   */
  static ServerProcess start(String name, List<String> command, Place place) {
    List<String> all = new ArrayList<>();
    if (!place.processors().isEmpty()) {
      // It becomes the program, so that the process id stays.
      all.addAll(List.of("taskset", "-c", place.processors()));
    }
    all.addAll(command);
    try {
      Path log = Files.createTempFile(place.folder(), name + "-", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(all)
              .directory(place.folder().toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .redirectInput(Path.of("/dev/null").toFile());
      // What configures the server is the command line alone.
      builder.environment().keySet().removeIf(key -> key.startsWith("LOOPGATE_"));
      builder.environment().put("LOOPGATE_SKIP_BUILD", "1");
      return new ServerProcess(name, log, builder.start());
    } catch (IOException e) {
      throw new PeerException("cannot start " + name + ": " + e.getMessage());
    }
  }

  /** Returns a port of the loopback address that is free now. */
  static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns all it wrote so far. */
  String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  /**
   * Makes sure that it still runs.
   *
   * @throws PeerException with the last lines it wrote
   */
  void check() {
    if (!process.isAlive()) {
      throw new PeerException(name + " ended with code " + process.exitValue() + said());
    }
  }

  private String said() {
    List<String> lines = output().lines().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .skip(Math.max(0, lines.size() - LINES_SHOWN))
        .collect(Collectors.joining(" | ", ": ", ""));
  }

  /** Waits until something listens there. */
  void awaitPort(int port, Stop stop) {
    await("listen on " + port, () -> listens(port), stop);
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Waits until something is so.
   *
   * @throws PeerException if that takes a minute, or the process ends
   */
  void await(String what, BooleanSupplier condition, Stop stop) {
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      check();
      if (condition.getAsBoolean()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new PeerException(name + " does not " + what + said());
      }
      stop.check();
      stop.await(LOOK_EVERY);
    }
  }

  /** Ends it, politely first, and whatever it started. */
  @Override
  public void close() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroy();
    if (!hasEnded(TERM_SECONDS)) {
      process.destroyForcibly();
      hasEnded(KILL_SECONDS);
    }
    started.forEach(ProcessHandle::destroyForcibly);
  }

  private boolean hasEnded(long seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** Runs commands of this machine, and decides what happens when one is missing. */
final class Tools {
  /** How long a command may take unless told otherwise. */
  static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The Debian package that has a command. */
  private static final Map<String, String> PACKAGES =
      Map.ofEntries(
          Map.entry("aria2c", "aria2"),
          Map.entry("curl", "curl"),
          Map.entry("e2fsck", "e2fsprogs"),
          Map.entry("fio", "fio"),
          Map.entry("fsfreeze", "util-linux"),
          Map.entry("losetup", "mount"),
          Map.entry("mkfs.ext4", "e2fsprogs"),
          Map.entry("mkfs.xfs", "xfsprogs"),
          Map.entry("mount", "mount"),
          Map.entry("nbdcopy", "libnbd-bin"),
          Map.entry("nbdfuse", "libnbd-bin"),
          Map.entry("nbdinfo", "libnbd-bin"),
          Map.entry("nbdkit", "nbdkit"),
          Map.entry("prlimit", "util-linux"),
          Map.entry("python3", "python3"),
          Map.entry("qemu-img", "qemu-utils"),
          Map.entry("qemu-io", "qemu-utils"),
          Map.entry("setpriv", "util-linux"),
          Map.entry("umount", "mount"),
          Map.entry("wget", "wget"));

  private Tools() {}

  /** What a command did. */
  record Result(List<String> command, int exit, String stdout, String stderr) {
    /** Fails the test unless the command ended well. */
    Result ok() {
      assertThat(exit).as("exit of %s", this).isZero();
      return this;
    }

    @Override
    public String toString() {
      return String.join(" ", command) + " -> " + exit + "\n" + stdout + stderr;
    }
  }

  /** Whether everything has to run. */
  static boolean everythingRequired() {
    return "true".equals(System.getenv("CI"));
  }

  /** Ends the test here unless {@code available}: skipped, or failed where all has to run. */
  static void require(boolean available, String otherwise) {
    if (!available && everythingRequired()) {
      Assertions.fail(otherwise);
    }
    Assumptions.assumeTrue(available, otherwise);
  }

  /** Ends the test here unless all these commands can be found. */
  static void require(String... commands) {
    for (String command : commands) {
      require(
          isOnPath(command),
          command + " is missing: apt-get install " + PACKAGES.getOrDefault(command, command));
    }
  }

  /** Ends the test here unless it runs as root. */
  static void requireRoot(String why) {
    require(isRoot(), "needs root: " + why);
  }

  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static boolean isOnPath(String command) {
    String path = System.getenv("PATH");
    String folders = (path == null ? "" : path) + File.pathSeparator + "/usr/sbin:/sbin";
    for (String folder : folders.split(File.pathSeparator, -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, command))) {
        return true;
      }
    }
    return false;
  }

  /** Runs a command to its end and fails the test unless it ended well. */
  static Result ok(Object... command) throws IOException, InterruptedException {
    return run(TIMEOUT, command).ok();
  }

  /** Runs a command to its end, which has to come before the timeout. */
  static Result run(Duration timeout, Object... command) throws IOException, InterruptedException {
    List<String> words = words(command);
    try (Background running = new Background(builder(words).start(), words)) {
      return running.awaitExit(timeout);
    }
  }

  /** Starts a command that goes on until it is closed. */
  static Background start(Object... command) throws IOException {
    List<String> words = words(command);
    return new Background(builder(words).start(), words);
  }

  private static List<String> words(Object... command) {
    var words = new ArrayList<String>();
    for (Object word : command) {
      words.add(word.toString());
    }
    return words;
  }

  /** A builder with a PATH that also finds what administrators use, and messages in English. */
  static ProcessBuilder builder(List<String> command) {
    var builder = new ProcessBuilder(command);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (was, more) -> was + ":" + more);
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    return builder;
  }

  /** Passes an interrupt on where only an IOException may be thrown. */
  static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    var exception = new InterruptedIOException("interrupted");
    exception.initCause(cause);
    return exception;
  }

  /** A running command; closing ends it, politely first. */
  static final class Background implements AutoCloseable {
    private final Process process;
    private final List<String> command;
    private final Output stdout;
    private final Output stderr;

    Background(Process process, List<String> command) {
      this.process = process;
      this.command = command;
      stdout = new Output(process.inputReader());
      stderr = new Output(process.errorReader());
    }

    Process process() {
      return process;
    }

    Output stdout() {
      return stdout;
    }

    Output stderr() {
      return stderr;
    }

    /** Waits for the end, which has to come before the timeout. */
    Result awaitExit(Duration timeout) throws InterruptedException {
      if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("still running after " + timeout + ": " + this);
      }
      stdout.awaitEnd();
      stderr.awaitEnd();
      return new Result(command, process.exitValue(), stdout.text(), stderr.text());
    }

    @Override
    public void close() throws IOException {
      process.destroy();
      try {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        throw interrupted(e);
      }
    }

    @Override
    public String toString() {
      return String.join(" ", command) + "\n" + stdout.tail() + stderr.tail();
    }
  }
}

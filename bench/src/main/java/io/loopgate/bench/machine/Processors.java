package io.loopgate.bench.machine;

import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Which processors this process may run on, by {@code taskset}: all its threads, and the programs
 * it starts afterwards. For one control thread.
 */
public final class Processors {
  private static final String ALLOWED = "Cpus_allowed_list:";

  private Processors() {}

  /** Returns the processors allowed now, as {@code 0-3,6}. */
  public static String allowed() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> line.substring(ALLOWED.length()).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }

  /**
   * Moves this process.
   *
   * @param list processors as {@code 0-3,6}
   * @throws IllegalArgumentException if that does not work
   */
  public static void allow(String list) {
    String pid = Long.toString(ProcessHandle.current().pid());
    Tool.Result result = Tool.run(List.of("taskset", "-a", "-c", "-p", list, pid), new Stop());
    if (result.code() != 0) {
      throw new IllegalArgumentException(
          "cannot run on the processors " + list + ": " + result.firstErrorLine());
    }
  }
}

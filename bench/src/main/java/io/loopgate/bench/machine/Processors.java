package io.loopgate.bench.machine;

import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which processors this process may run on, by {@code taskset}: all its threads, and the programs
 * it starts afterwards. For one control thread.
 */
public final class Processors {
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final String THREAD_ENDED = "No such process";
  private static final int TRIES_MORE = 20;
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");

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
   * Returns how many processors a list names.
   *
   * @param list processors as {@code 0-3,6}
   * @throws IllegalArgumentException if it is no such list
   */
  public static int count(String list) {
    return numbers(list).size();
  }

  /**
   * Returns the processors that a list names.
   *
   * @param list processors as {@code 0-3,6}
   * @throws IllegalArgumentException if it is no such list
   */
  public static List<Integer> numbers(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw new IllegalArgumentException(
            "processors are a list such as 0 or 0-3,6, not \"" + list + "\"");
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      IntStream.rangeClosed(first, last).forEach(numbers::add);
    }
    return numbers;
  }

  /**
   * Moves this process.
   *
   * @param list processors as {@code 0-3,6}
   * @throws IllegalArgumentException if that does not work
   */
  public static void allow(String list) {
    String pid = Long.toString(ProcessHandle.current().pid());
    List<String> command = List.of("taskset", "-a", "-c", "-p", list, pid);
    Tool.Result result = Tool.run(command, new Stop());
    // It gives up when a thread ends while it goes through them.
    for (int again = 0; again < TRIES_MORE && result.err().contains(THREAD_ENDED); again++) {
      result = Tool.run(command, new Stop());
    }
    if (result.code() != 0) {
      throw new IllegalArgumentException(
          "cannot run on the processors " + list + ": " + result.firstErrorLine());
    }
  }
}

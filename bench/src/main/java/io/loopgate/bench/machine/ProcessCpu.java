package io.loopgate.bench.machine;

import io.loopgate.bench.stats.CpuUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processor time of this process, from {@code /proc/self}: all its threads, those of the kernel's
 * io_uring for it among them, and those that have ended. The virtual machine's own are told apart
 * by name.
 */
public final class ProcessCpu {
  /** What {@code times(2)} and {@code /proc} count in; the same on every Linux. */
  static final double TICKS_PER_SECOND = 100;

  private static final double KIB_PER_MIB = 1024;

  /** Names as {@code /proc} has them: the first 15 bytes. */
  private static final List<String> MACHINERY =
      List.of(
          "C1 Compiler",
          "C2 Compiler",
          "VM Thread",
          "VM Periodic",
          "GC Thread",
          "G1 ",
          "Sweeper",
          "Monitor Defl",
          "Service Thread",
          "Reference Handl",
          "Common-Cleaner");

  private static final Path SELF = Path.of("/proc/self");

  private ProcessCpu() {}

  /** Returns the times until now. */
  public static CpuUse now() {
    Ticks machinery = Ticks.NONE;
    try (Stream<Path> threads = Files.list(SELF.resolve("task"))) {
      for (Path thread : threads.toList()) {
        machinery = machinery.plus(ofMachinery(thread));
      }
      Ticks all = Ticks.parse(Files.readString(SELF.resolve("stat")));
      return new CpuUse(
          (all.user - machinery.user) / TICKS_PER_SECOND,
          (all.system - machinery.system) / TICKS_PER_SECOND,
          (machinery.user + machinery.system) / TICKS_PER_SECOND,
          CpuUse.Scope.PROCESS);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc/self", e);
    }
  }

  /**
   * Returns the times until now of a process and all that it started; none of a process that has
   * ended.
   */
  public static CpuUse of(ProcessHandle process) {
    Ticks ticks =
        Stream.concat(Stream.of(process), process.descendants())
            .map(ProcessCpu::ticks)
            .reduce(Ticks.NONE, Ticks::plus);
    return new CpuUse(
        ticks.user / TICKS_PER_SECOND, ticks.system / TICKS_PER_SECOND, 0, CpuUse.Scope.SERVER);
  }

  /** Returns the seconds of all programs that this process started and that have ended. */
  public static double ofEndedChildrenSeconds() {
    try {
      Ticks ticks = Ticks.ofChildren(Files.readString(SELF.resolve("stat")));
      return (ticks.user + ticks.system) / TICKS_PER_SECOND;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc/self", e);
    }
  }

  private static Ticks ticks(ProcessHandle process) {
    try {
      return Ticks.parse(Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")));
    } catch (IOException e) {
      return Ticks.NONE;
    }
  }

  /** Returns how much memory a process and all that it started have now, in MiB. */
  public static double residentMib(ProcessHandle process) {
    return Stream.concat(Stream.of(process), process.descendants())
            .mapToLong(ProcessCpu::residentKib)
            .sum()
        / KIB_PER_MIB;
  }

  private static long residentKib(ProcessHandle process) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  private static Ticks ofMachinery(Path thread) throws IOException {
    try {
      String name = Files.readString(thread.resolve("comm"));
      boolean machinery = MACHINERY.stream().anyMatch(name::startsWith);
      return machinery ? Ticks.parse(Files.readString(thread.resolve("stat"))) : Ticks.NONE;
    } catch (NoSuchFileException e) {
      return Ticks.NONE;
    } catch (IOException e) {
      // A thread that ends while its file is open gives ESRCH.
      if (Files.exists(thread)) {
        throw e;
      }
      return Ticks.NONE;
    }
  }

  /** User and system time in ticks. */
  record Ticks(long user, long system) {
    static final Ticks NONE = new Ticks(0, 0);

    /** Where the times are, counted after the name, which may hold anything. */
    private static final int USER_FIELD = 11;

    static Ticks parse(String stat) {
      return parse(stat, USER_FIELD);
    }

    static Ticks ofChildren(String stat) {
      return parse(stat, USER_FIELD + 2);
    }

    private static Ticks parse(String stat, int userField) {
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return new Ticks(Long.parseLong(fields[userField]), Long.parseLong(fields[userField + 1]));
    }

    Ticks plus(Ticks other) {
      return new Ticks(user + other.user, system + other.system);
    }
  }
}

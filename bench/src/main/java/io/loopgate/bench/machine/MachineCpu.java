package io.loopgate.bench.machine;

import io.loopgate.bench.stats.CpuUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Processor time of the whole machine, from {@code /proc/stat}: for work that threads of the kernel
 * do. Whatever else runs on the machine is in it.
 */
public final class MachineCpu {
  private MachineCpu() {}

  /** Returns the times until now. */
  public static CpuUse now() {
    try (var lines = Files.lines(Path.of("/proc/stat"))) {
      return parse(lines.findFirst().orElseThrow());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read /proc/stat", e);
    }
  }

  /** Reads the line of all processors: user, nice, system, idle, iowait, irq, softirq, and more. */
  static CpuUse parse(String line) {
    String[] fields = line.strip().split(" +", -1);
    long user = Long.parseLong(fields[1]) + Long.parseLong(fields[2]);
    long system = Long.parseLong(fields[3]) + Long.parseLong(fields[6]) + Long.parseLong(fields[7]);
    return new CpuUse(
        user / ProcessCpu.TICKS_PER_SECOND,
        system / ProcessCpu.TICKS_PER_SECOND,
        0,
        CpuUse.Scope.MACHINE);
  }

  /**
   * A part of a run in which the machine is watched.
   *
   * @param seconds how long it was
   * @param cpu what processors did in it
   */
  private record Window(double seconds, CpuUse cpu) {}

  /**
   * Watches the machine from a while after now, for a while, in the background; meant to lie well
   * inside of a program's run, so that neither its start nor its end is in it.
   */
  public static final class Watch {
    private final CompletableFuture<Window> window;

    /** Begins to wait. */
    public Watch(Duration after, Duration length) {
      this.window =
          CompletableFuture.supplyAsync(MachineCpu::begin, delayed(after))
              .thenApplyAsync(MachineCpu::end, delayed(length));
    }

    private static Executor delayed(Duration time) {
      return CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Returns what a run of so many seconds took, if the watch has ended. */
    public Optional<CpuUse> over(double seconds) {
      Window seen = window.getNow(new Window(0, now()));
      if (seen.seconds <= 0) {
        return Optional.empty();
      }
      double factor = seconds / seen.seconds;
      return Optional.of(
          new CpuUse(
              seen.cpu.userSeconds() * factor,
              seen.cpu.systemSeconds() * factor,
              0,
              CpuUse.Scope.MACHINE));
    }
  }

  private record Start(long nanos, CpuUse cpu) {}

  private static Start begin() {
    return new Start(System.nanoTime(), now());
  }

  private static Window end(Start start) {
    return new Window((System.nanoTime() - start.nanos) / 1e9, now().since(start.cpu));
  }
}

package io.loopgate.app;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells how much processor time the JVM's compiler has taken, and waits until it has nothing more
 * to do. Its threads take whole time slices from an event loop on the same processor. For one
 * thread.
 *
 * <p>Where there is no {@code /proc}, the JVM's own count serves, which grows when a compilation
 * ends.
 */
final class CompilerWatch {
  private static final Path THREADS = Path.of("/proc/self/task");
  private static final String NAME_PART = " CompilerThre";

  /** Behind the name, counted from 0: user and system time, in hundredths of a second. */
  private static final int USER_FIELD = 11;

  private static final long MILLIS_PER_TICK = 10;
  private static final long LOOK_MILLIS = 50;
  private static final long REST_MILLIS = 10;

  private final @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();

  /** Returns how long the compiler was busy so far. */
  long busyMillis() {
    try (var threads = Files.newDirectoryStream(THREADS)) {
      long ticks = 0;
      for (Path thread : threads) {
        ticks += ticks(thread);
      }
      return ticks * MILLIS_PER_TICK;
    } catch (IOException e) {
      CompilationMXBean bean = compiler;
      return bean != null && bean.isCompilationTimeMonitoringSupported()
          ? bean.getTotalCompilationTime()
          : 0;
    }
  }

  private static long ticks(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      int nameEnd = stat.lastIndexOf(')');
      if (!stat.substring(0, nameEnd).contains(NAME_PART)) {
        return 0;
      }
      String[] fields = stat.substring(nameEnd + 2).split(" ", USER_FIELD + 3);
      return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]);
    } catch (IOException e) {
      // It has ended meanwhile.
      return 0;
    }
  }

  /** Waits until the compiler rests, or the time is over. */
  void awaitRest(long deadlineNanos) {
    long before = busyMillis();
    while (System.nanoTime() - deadlineNanos < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      long now = busyMillis();
      if (now - before <= REST_MILLIS) {
        return;
      }
      before = now;
    }
  }
}

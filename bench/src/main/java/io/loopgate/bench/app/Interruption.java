package io.loopgate.bench.app;

import io.loopgate.bench.control.Stop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns SIGINT and SIGTERM into the wish to stop: the run that goes on ends quickly, what was made
 * is removed, and the results until then are written; only then the process ends.
 */
final class Interruption {
  private static final long ORDERLY_END_SECONDS = 60;

  private final Stop stop = new Stop();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile int code = BenchCommand.FAILURE;

  /** Begins to listen for signals. */
  void install() {
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("bench-stop").unstarted(this::endOrderly));
  }

  Stop stop() {
    return stop;
  }

  /** All is done and written; a signal that comes now ends the process at once. */
  void ended(int exitCode) {
    code = exitCode;
    ended.countDown();
  }

  private void endOrderly() {
    if (ended.getCount() == 0) {
      return;
    }
    stop.request();
    try {
      if (!ended.await(ORDERLY_END_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("loopgate bench: did not end in time; files may be left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    // A virtual machine that ends by a signal would exit with the signal's code, not with ours.
    Runtime.getRuntime().halt(code);
  }
}

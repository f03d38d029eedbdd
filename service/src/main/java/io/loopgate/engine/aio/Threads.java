package io.loopgate.engine.aio;

import java.time.Duration;

/** Waits for threads that were told to end. */
final class Threads {
  private Threads() {}

  /** Returns whether it ended in time. */
  static boolean join(Thread thread, Duration timeout) {
    try {
      return thread.join(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

package io.loopgate.engine;

import org.slf4j.Logger;

/** What to do with a throwable that nobody expected, on a thread that others rely on. */
public final class Failures {
  private Failures() {}

  /**
   * Logs a failure, and throws on what means that the JVM is broken.
   *
   * <p>Too little memory or stack is not among the latter: the next command may well need less.
   *
   * @param message names {@code subject} by a pair of braces
   */
  public static void handle(Logger log, String message, Object subject, Throwable failure) {
    try {
      log.error(message, subject, failure);
    } catch (RuntimeException | Error again) {
      // Whoever has no memory to log with has still to go on.
    }
    if (failure instanceof VirtualMachineError broken
        && !(failure instanceof OutOfMemoryError)
        && !(failure instanceof StackOverflowError)) {
      throw broken;
    }
  }
}

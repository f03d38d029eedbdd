package io.loopgate.engine;

/** Whether an engine can run here, found out by trying. */
public sealed interface Availability {
  /**
   * It can.
   *
   * @param fact what was found, for the start-up report
   */
  record Available(String fact) implements Availability {}

  /**
   * It can't.
   *
   * @param cause what stands in the way
   * @param remedy what a user can do about it
   */
  record Unavailable(String cause, String remedy) implements Availability {}
}

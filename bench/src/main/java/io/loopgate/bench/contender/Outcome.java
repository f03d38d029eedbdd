package io.loopgate.bench.contender;

import io.loopgate.bench.stats.Measurement;

/** How a run of a contender ended. */
public sealed interface Outcome {
  /**
   * It was measured.
   *
   * @param how what ran it
   * @param nowait which NOWAIT path it had and why, or an empty text
   */
  record Measured(Measurement measurement, String how, String nowait) implements Outcome {}

  /**
   * It cannot run here at all.
   *
   * @param reason one line for the user
   */
  record Unavailable(String reason) implements Outcome {}

  /**
   * It ran and something went wrong, which no figure may hide.
   *
   * @param reason the first error
   */
  record Failed(String reason) implements Outcome {}

  /** The user wanted to stop before there was anything to measure. */
  record Interrupted() implements Outcome {}
}

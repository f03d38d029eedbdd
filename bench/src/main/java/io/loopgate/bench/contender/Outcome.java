package io.loopgate.bench.contender;

import io.loopgate.bench.stats.Measurement;
import java.util.Optional;

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
   * @param measurement what it came to nevertheless, if that can be shown
   */
  record Failed(String reason, Optional<Measurement> measurement) implements Outcome {
    /** With nothing to show. */
    public Failed(String reason) {
      this(reason, Optional.empty());
    }
  }

  /** The user wanted to stop before there was anything to measure. */
  record Interrupted() implements Outcome {}
}

package io.loopgate.bench.compare;

import io.loopgate.bench.stats.Measurement;
import java.util.List;

/**
 * What came of one contender on one workload.
 *
 * @param contender its name
 * @param state how it fared
 * @param reason why, unless it was measured
 * @param how what ran it
 * @param nowait which NOWAIT path it had and why, or an empty text
 * @param rounds one measurement for each round; fewer if it was interrupted
 */
public record Row(
    String contender,
    State state,
    String reason,
    String how,
    String nowait,
    List<Measurement> rounds) {
  /** How a contender fared. */
  public enum State {
    MEASURED,
    /** It cannot run here; that is no error. */
    UNAVAILABLE,
    FAILED,
    /** The user stopped before its first round ended. */
    INTERRUPTED
  }

  /** Copies the list. */
  public Row {
    rounds = List.copyOf(rounds);
  }
}

package io.loopgate.bench.compare;

import io.loopgate.bench.contender.Phases;
import java.time.Duration;

/**
 * How long and how often.
 *
 * @param rounds how many rounds count
 * @param warmUp how long each contender runs before the first round, uncounted: a virtual machine
 *     compiles while it warms
 * @param ramp how long each run goes on before it is measured
 * @param measured how long each run is measured
 * @param steady whether the warm-up goes on in slices until two in a row are alike
 */
public record Timing(
    int rounds, Duration warmUp, Duration ramp, Duration measured, boolean steady) {
  private static final int ROUNDS_MAX = 1000;

  /** Checks the numbers. */
  public Timing {
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw new IllegalArgumentException("rounds has to be 1 to " + ROUNDS_MAX + ", not " + rounds);
    }
    if (measured.isZero()) {
      throw new IllegalArgumentException("time has to be more than nothing");
    }
  }

  /** With a warm-up in one piece. */
  public Timing(int rounds, Duration warmUp, Duration ramp, Duration measured) {
    this(rounds, warmUp, ramp, measured, false);
  }

  Phases warmUpPhases() {
    return new Phases(Duration.ZERO, steady ? warmUp.dividedBy(WarmUp.SLICES) : warmUp);
  }

  Phases roundPhases() {
    return new Phases(ramp, measured);
  }
}

package io.loopgate.telemetry;

import java.util.Locale;

/**
 * How a command fared with the NOWAIT-first path; every command of a volume with that layer has
 * exactly one.
 */
public enum NowaitOutcome {
  /** All bytes came without waiting. */
  HIT,
  /** Some bytes came without waiting, the rest went to the engine. */
  SHORT,
  /** It would have waited: the engine did it. */
  AGAIN,
  /** The file never does it: the engine did it, and the direction is latched off. */
  UNSUPPORTED,
  /** Not tried, since the hint or the latch said so. */
  SKIPPED,
  /** Not tried, since the direction was demoted for its low hit rate or a slow try. */
  DEMOTED;

  /** Returns the label value. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

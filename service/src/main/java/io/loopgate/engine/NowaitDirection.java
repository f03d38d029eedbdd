package io.loopgate.engine;

import io.loopgate.telemetry.NowaitOutcome;
import java.time.Duration;

/**
 * What has been learnt about trying without waiting in one direction of one volume: whether the
 * next command is worth a try.
 *
 * <p>A try that comes to nothing costs about a microsecond; one that hits saves a hand-off of ten
 * or more. So a direction pays down to a hit rate of about one in ten. Below that it is demoted,
 * and one command in {@value #PROBE_EVERY} still tries, so that a warmed cache is noticed. A try
 * that took over a millisecond did wait, whatever its name says, and demotes the direction for a
 * while.
 *
 * <p>Fields are plain on purpose: event loops race on them, and the worst that a lost update does
 * is one try more or less.
 */
public final class NowaitDirection {
  /** One in how many commands a demoted direction still tries. */
  public static final int PROBE_EVERY = 64;

  private static final int WEIGHT = 64;
  private static final double DEMOTE_BELOW = 0.10;
  private static final double PROMOTE_ABOVE = 0.20;

  /** A probe counts for more than a try among many: there are few of them. */
  private static final int PROBE_WEIGHT = 4;

  private static final long SLOW_TRY_NANOS = Duration.ofMillis(1).toNanos();
  private static final long PENALTY_NANOS = Duration.ofMillis(100).toNanos();

  private final boolean adaptive;
  private boolean latchedOff;
  private boolean demoted;
  private double hitRate = 1.0;
  private int sinceProbe;
  private boolean penalised;
  private long penaltyEndNanos;

  /**
   * Begins with the best of hopes.
   *
   * @param supported whether the file takes such tries at all
   * @param adaptive whether to learn from tries; else every command is tried
   */
  public NowaitDirection(boolean supported, boolean adaptive) {
    this.latchedOff = !supported;
    this.adaptive = adaptive;
  }

  /** Tells whether the file never does it. */
  public boolean isLatchedOff() {
    return latchedOff;
  }

  /** Tells whether tries were found not to pay. */
  public boolean isDemoted() {
    return demoted || penalised;
  }

  /** Returns whether to try; if not, {@link #refusal} says how to count that. */
  public boolean worthTrying(long nowNanos) {
    if (latchedOff) {
      return false;
    }
    if (!adaptive) {
      return true;
    }
    if (penalised) {
      if (nowNanos - penaltyEndNanos < 0) {
        return false;
      }
      penalised = false;
    }
    if (!demoted) {
      return true;
    }
    sinceProbe++;
    if (sinceProbe < PROBE_EVERY) {
      return false;
    }
    sinceProbe = 0;
    return true;
  }

  /** Returns how to count a command that was not worth a try. */
  public NowaitOutcome refusal() {
    return latchedOff ? NowaitOutcome.SKIPPED : NowaitOutcome.DEMOTED;
  }

  /** Learns from a try; {@code tookNanos} is how long the caller's thread was away. */
  public void learn(NowaitOutcome outcome, long tookNanos, long nowNanos) {
    learn(outcome);
    took(tookNanos, nowNanos);
  }

  /** Learns from a try whose time is told apart, by {@link #took}. */
  public void learn(NowaitOutcome outcome) {
    if (outcome == NowaitOutcome.UNSUPPORTED) {
      latchedOff = true;
      return;
    }
    double value = outcome == NowaitOutcome.HIT ? 1.0 : 0.0;
    int weight = demoted ? PROBE_WEIGHT : WEIGHT;
    hitRate += (value - hitRate) / weight;
    demoted = demoted ? hitRate < PROMOTE_ABOVE : hitRate < DEMOTE_BELOW;
  }

  /** Learns how long a try kept the caller's thread away. */
  public void took(long tookNanos, long nowNanos) {
    if (tookNanos > SLOW_TRY_NANOS) {
      penalised = true;
      penaltyEndNanos = nowNanos + PENALTY_NANOS;
    }
  }
}

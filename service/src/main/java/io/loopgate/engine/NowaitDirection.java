package io.loopgate.engine;

import io.loopgate.telemetry.NowaitOutcome;
import java.time.Duration;

/**
 * What has been learnt about trying without waiting in one direction of one volume: whether the
 * next command is worth a try.
 *
 * <p>A try that comes to nothing costs about a microsecond; one that hits saves a hand-off of ten
 * or more. So a direction pays down to a hit rate of about one in ten. Below that it is demoted,
 * and one command in {@value #PROBE_EVERY} still tries, so that a warmed cache is noticed.
 *
 * <p>A try that took over a millisecond may have waited, whatever its name says; or its thread lost
 * its processor in the middle of a copy, which happens to any thread and says nothing about the
 * file. So a slow try only makes the next {@value #WATCHED_TRIES} watched ones, about which the
 * kernel is asked whether the thread gave up its processor by itself; a watched try that was slow
 * and did so demotes the direction for a while. On 2 processors that 16 threads wanted, 73 % of 4
 * KiB reads from the cache and 91 % of 256 KiB ones were kept from trying by tries that only seemed
 * to wait, when one was enough; asking leaves none.
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

  /** To ask the kernel costs two short calls: not for every try. */
  private static final int WATCHED_TRIES = 64;

  private static final long PENALTY_NANOS = Duration.ofMillis(100).toNanos();

  private final boolean adaptive;
  private boolean latchedOff;
  private boolean demoted;
  private double hitRate = 1.0;
  private int sinceProbe;
  private int watchedTries;
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

  /** Tells whether {@link #took} wants to know of the next try whether the thread waited. */
  public boolean isWatched() {
    return watchedTries > 0 && adaptive;
  }

  /** Learns from a try at once what {@link #learn(NowaitOutcome)} and {@link #took} learn apart. */
  public void learn(NowaitOutcome outcome, long tookNanos, boolean waited, long nowNanos) {
    learn(outcome);
    took(tookNanos, waited, nowNanos);
  }

  /** Learns from the outcome of a try. */
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

  /**
   * Learns from how long a try kept the caller's thread.
   *
   * @param tookNanos how long the caller's thread was away, but for what it needs to copy the bytes
   * @param waited whether the thread gave up its processor by itself, as far as anyone looked
   */
  public void took(long tookNanos, boolean waited, long nowNanos) {
    if (tookNanos > SLOW_TRY_NANOS) {
      watchedTries = WATCHED_TRIES;
      if (waited) {
        penalised = true;
        penaltyEndNanos = nowNanos + PENALTY_NANOS;
      }
    } else if (watchedTries > 0) {
      watchedTries--;
    }
  }
}

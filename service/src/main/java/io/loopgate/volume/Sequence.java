package io.loopgate.volume;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts changes of a volume, and makes the entity tags of them.
 *
 * <p>The number rises when a change begins and again when it has ended, however it ended. So a tag
 * read while nothing was going on names one content and never comes back for another. What is read
 * while changes are in flight gets a number of its own, since two such reads may see different
 * bytes. Any thread; never blocks.
 */
final class Sequence {
  /** How many bits of the state hold the number; those above count changes in flight. */
  private static final int NUMBER_BITS = 46;

  private static final long ONE_CHANGE = 1L << NUMBER_BITS;
  private static final long NUMBER_MASK = ONE_CHANGE - 1;

  private final String incarnation;

  /** Number and changes in flight in one, so that no look at them can tear. */
  private final AtomicLong state = new AtomicLong();

  private volatile Tag lastTag;

  private record Tag(long number, String text) {}

  /**
   * Starts at 0; {@code incarnation} names this opening of the backing, or the content of a
   * read-only one.
   */
  Sequence(String incarnation) {
    this.incarnation = incarnation;
    this.lastTag = make(0);
  }

  /** Begins a change. */
  void begin() {
    state.addAndGet(ONE_CHANGE + 1);
  }

  /**
   * Begins a change if the number still is the expected one and no other change is in flight, which
   * could be seen in what the caller read in part or not at all; atomic, so of two writers with one
   * tag one loses.
   */
  boolean beginIf(long expected) {
    // A state that is just a number has no change in flight.
    return expected >= 0
        && expected < NUMBER_MASK
        && state.compareAndSet(expected, expected + ONE_CHANGE + 1);
  }

  /** Ends a change and returns the number after it. */
  long end() {
    return state.addAndGet(1 - ONE_CHANGE) & NUMBER_MASK;
  }

  /** Returns the number that a read which starts now carries. */
  long forRead() {
    while (true) {
      long now = state.get();
      if ((now & ~NUMBER_MASK) == 0) {
        return now;
      }
      if (state.compareAndSet(now, now + 1)) {
        return (now + 1) & NUMBER_MASK;
      }
    }
  }

  /** Returns the number as it is. */
  long current() {
    return state.get() & NUMBER_MASK;
  }

  /** Returns the strong entity tag of a number, in quotes. */
  String tag(long ofNumber) {
    Tag cached = lastTag;
    if (cached.number != ofNumber) {
      cached = make(ofNumber);
      lastTag = cached;
    }
    return cached.text;
  }

  private Tag make(long ofNumber) {
    return new Tag(ofNumber, "\"" + incarnation + "-" + ofNumber + "\"");
  }

  /** Returns the number in a tag of this incarnation, or -1 for every other text. */
  long numberOf(String tag) {
    String prefix = "\"" + incarnation + "-";
    if (!tag.startsWith(prefix) || !tag.endsWith("\"") || tag.length() <= prefix.length() + 1) {
      return -1;
    }
    String digits = tag.substring(prefix.length(), tag.length() - 1);
    if (digits.length() > 18 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    long parsed = Long.parseLong(digits);
    return Long.toString(parsed).equals(digits) ? parsed : -1;
  }
}

package io.loopgate.volume;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts changes of a volume, and makes the entity tags of them.
 *
 * <p>The number rises when a change begins and again when it has ended, however it ended. So a tag
 * read while nothing was going on names one content and never comes back for another. What is read
 * while changes are in flight gets a number of its own, since two such reads may see different
 * bytes. Any thread; never blocks.
 */
final class Sequence {
  private final String incarnation;
  private final AtomicLong number = new AtomicLong();
  private final AtomicInteger changing = new AtomicInteger();
  private volatile @Nullable Tag lastTag;

  private record Tag(long number, String text) {}

  /**
   * Starts at 0; {@code incarnation} names this opening of the backing, or the content of a
   * read-only one.
   */
  Sequence(String incarnation) {
    this.incarnation = incarnation;
  }

  /** Begins a change. */
  void begin() {
    changing.incrementAndGet();
    number.incrementAndGet();
  }

  /**
   * Begins a change if the number still is the expected one; atomic, so of two writers with one tag
   * one loses.
   */
  boolean beginIf(long expected) {
    changing.incrementAndGet();
    if (number.compareAndSet(expected, expected + 1)) {
      return true;
    }
    changing.decrementAndGet();
    return false;
  }

  /** Ends a change and returns the number after it. */
  long end() {
    long after = number.incrementAndGet();
    changing.decrementAndGet();
    return after;
  }

  /** Returns the number that a read which starts now carries. */
  long forRead() {
    return changing.get() == 0 ? number.get() : number.incrementAndGet();
  }

  /** Returns the number as it is. */
  long current() {
    return number.get();
  }

  /** Returns the strong entity tag of a number, in quotes. */
  String tag(long ofNumber) {
    Tag cached = lastTag;
    if (cached == null || cached.number != ofNumber) {
      cached = new Tag(ofNumber, "\"" + incarnation + "-" + ofNumber + "\"");
      lastTag = cached;
    }
    return cached.text;
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

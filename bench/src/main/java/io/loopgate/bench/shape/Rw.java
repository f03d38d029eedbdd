package io.loopgate.bench.shape;

import java.util.Arrays;
import java.util.Locale;

/** Which commands a job issues and where, with the names fio has for them. */
public enum Rw {
  READ(true, false, false),
  WRITE(false, true, false),
  RANDREAD(true, false, true),
  RANDWRITE(false, true, true),
  /** Reads and writes in sequence, half of each. */
  RW(true, true, false),
  /** Reads and writes at random, half of each. */
  RANDRW(true, true, true);

  private final boolean reads;
  private final boolean writes;
  private final boolean random;

  Rw(boolean reads, boolean writes, boolean random) {
    this.reads = reads;
    this.writes = writes;
    this.random = random;
  }

  /** Tells whether there are reads. */
  public boolean reads() {
    return reads;
  }

  /** Tells whether there are writes. */
  public boolean writes() {
    return writes;
  }

  /** Tells whether offsets are random, not ascending. */
  public boolean random() {
    return random;
  }

  /** Returns how fio and users write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads a word.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  public static Rw parse(String text) {
    return Arrays.stream(values())
        .filter(rw -> rw.word().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "rw is one of read, write, randread, randwrite, rw, randrw, not \""
                        + text
                        + "\""));
  }
}

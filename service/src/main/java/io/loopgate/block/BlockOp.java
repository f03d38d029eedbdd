package io.loopgate.block;

/** What a command does. Reads and writes move bytes; the others carry no payload. */
public enum BlockOp {
  /** Copies bytes of the backing into memory. */
  READ,
  /** Copies bytes of memory into the backing. */
  WRITE,
  /** Makes everything completed before it durable ({@code fdatasync}). */
  FLUSH,
  /** Gives space back; the range reads as zeroes afterwards. */
  DISCARD,
  /** Makes a range read as zeroes. */
  ZERO;

  private static final BlockOp[] ALL = values();

  /** Returns how many operations there are. */
  public static int count() {
    return ALL.length;
  }

  /** Tells whether the operation changes what the backing holds. */
  public boolean mutates() {
    return this == WRITE || this == DISCARD || this == ZERO;
  }
}

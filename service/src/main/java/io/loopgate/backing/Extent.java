package io.loopgate.backing;

/**
 * A part of a backing that is all data or all hole.
 *
 * @param startBytes where it begins
 * @param lengthBytes how long it is, at least 1
 * @param hole whether nothing is stored for it; a hole reads as zeroes
 */
public record Extent(long startBytes, long lengthBytes, boolean hole) {
  /** Returns the first byte behind it. */
  public long endBytes() {
    return startBytes + lengthBytes;
  }
}

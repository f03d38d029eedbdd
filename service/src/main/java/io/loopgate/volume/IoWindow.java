package io.loopgate.volume;

import io.loopgate.backing.Geometry;

/**
 * The aligned part of a volume around a range of bytes, and the memory layout that a transfer of it
 * takes.
 *
 * <p>A direct volume moves whole aligned blocks only. Who reads {@code [offset, offset + length)}
 * allocates {@link #allocationBytes()}, aligns the address with {@link #alignedAddress}, and finds
 * its bytes at {@link #skipBytes()} behind it. Who writes puts its bytes there; the room behind the
 * window is scratch space for the edges. On a buffered volume the window is the range itself and
 * nothing is added.
 *
 * @param startBytes where the window begins
 * @param lengthBytes how long it is
 * @param skipBytes how far into it the range begins
 * @param rangeBytes how long the range is
 * @param alignmentBytes what the window is aligned to
 * @param memoryAlignmentBytes what its address has to be aligned to
 */
public record IoWindow(
    long startBytes,
    int lengthBytes,
    int skipBytes,
    int rangeBytes,
    int alignmentBytes,
    int memoryAlignmentBytes) {
  /** Returns the window around a range. */
  public static IoWindow around(long offsetBytes, int lengthBytes, Geometry geometry) {
    int alignment = geometry.alignmentBytes();
    long start = offsetBytes - offsetBytes % alignment;
    long end = offsetBytes + lengthBytes;
    long alignedEnd = (end + alignment - 1) / alignment * alignment;
    return new IoWindow(
        start,
        (int) (alignedEnd - start),
        (int) (offsetBytes - start),
        lengthBytes,
        alignment,
        geometry.memoryAlignmentBytes());
  }

  /** Returns where the range begins. */
  public long offsetBytes() {
    return startBytes + skipBytes;
  }

  /** Tells whether the range fills the window. */
  public boolean isAligned() {
    return lengthBytes == rangeBytes;
  }

  /** Returns how much memory to allocate for a transfer. */
  public int allocationBytes() {
    int scratch = isAligned() ? 0 : alignmentBytes;
    return lengthBytes + scratch + memoryAlignmentBytes - 1;
  }

  /** Returns the first address in an allocation at which the window may begin. */
  public long alignedAddress(long allocationAddress) {
    return (allocationAddress + memoryAlignmentBytes - 1)
        / memoryAlignmentBytes
        * memoryAlignmentBytes;
  }
}

package io.loopgate.backing;

/**
 * The shape of a backing.
 *
 * @param sizeBytes how many bytes it holds, fixed until it is resized
 * @param alignmentBytes what offsets and lengths of reads and writes must be multiples of: 1 for
 *     buffered files
 * @param memoryAlignmentBytes what memory addresses must be multiples of
 * @param preferredIoBytes a transfer size that suits it
 */
public record Geometry(
    long sizeBytes, int alignmentBytes, int memoryAlignmentBytes, int preferredIoBytes) {
  /** Returns the same shape with another size. */
  public Geometry withSizeBytes(long newSizeBytes) {
    return new Geometry(newSizeBytes, alignmentBytes, memoryAlignmentBytes, preferredIoBytes);
  }
}

package io.loopgate.backing;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;

/** A part of a backing as a backing of its own, such as one of several segments of one file. */
public final class WindowBacking implements Backing {
  private final Backing below;
  private final long startBytes;
  private final Geometry geometry;
  private final boolean flushes;

  /** Shows a part of a backing, which is not closed with it. */
  public WindowBacking(Backing below, long startBytes, long lengthBytes) {
    this(below, startBytes, below.geometry().withSizeBytes(lengthBytes), true);
  }

  private WindowBacking(Backing below, long startBytes, Geometry geometry, boolean flushes) {
    this.below = below;
    this.startBytes = startBytes;
    this.geometry = geometry;
    this.flushes = flushes;
  }

  /** Returns the same, but flushes succeed at once: of several windows one is enough to flush. */
  public WindowBacking withoutFlush() {
    return new WindowBacking(below, startBytes, geometry, false);
  }

  /** Returns the same, but transfers have to be aligned. */
  public WindowBacking alignedTo(int alignmentBytes) {
    Geometry aligned =
        new Geometry(
            geometry.sizeBytes(), alignmentBytes, alignmentBytes, geometry.preferredIoBytes());
    return new WindowBacking(below, startBytes, aligned, flushes);
  }

  /** Nothing is hidden from below: a step begins with what was done before, as the original has. */
  private BlockRequest shifted(BlockRequest request) {
    int flags =
        (request.isFua() ? BlockRequest.FUA : 0)
            | (request.mayUnmap() ? BlockRequest.MAY_UNMAP : 0);
    BlockRequest shifted =
        new BlockRequest(request.home())
            .prepare(
                request.op(),
                startBytes + request.offsetBytes(),
                request.lengthBytes(),
                request.remainingAddress() - request.doneBytes(),
                flags,
                BlockRequest.NO_DEADLINE,
                (ended, result) -> {});
    if (request.doneBytes() > 0) {
      shifted.advance(request.doneBytes());
    }
    return shifted;
  }

  @Override
  public long execute(BlockRequest request) {
    return request.op() == BlockOp.FLUSH && !flushes ? 0 : below.execute(shifted(request));
  }

  @Override
  public long tryNow(BlockRequest request) {
    return below.tryNow(shifted(request));
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public BackingCapabilities capabilities() {
    return below.capabilities();
  }

  @Override
  public String description() {
    return below.description() + "@" + startBytes;
  }

  @Override
  public boolean readOnly() {
    return below.readOnly();
  }

  @Override
  public String identity() {
    return below.identity() + "." + startBytes;
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    Extent found = below.extentAt(startBytes + offsetBytes);
    long endBytes = Math.min(found.endBytes() - startBytes, geometry.sizeBytes());
    return new Extent(offsetBytes, endBytes - offsetBytes, found.hole());
  }

  @Override
  public long allocatedBytes() {
    return geometry.sizeBytes();
  }

  @Override
  public void resize(long newSizeBytes) {
    throw new BackingException("a window keeps its size", 0);
  }

  @Override
  public void close() {
    // The one below belongs to someone else.
  }
}

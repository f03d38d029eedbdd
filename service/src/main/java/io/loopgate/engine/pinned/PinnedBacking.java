package io.loopgate.engine.pinned;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;

/**
 * A file that stays whole: what would punch a hole or leave unwritten blocks behind writes zeroes
 * instead. All else is done by the backing below, which its owner closes. Any thread.
 */
final class PinnedBacking implements DescriptorBacking {
  private final DescriptorBacking below;
  private final ZeroWriter zeroes;

  PinnedBacking(DescriptorBacking below) {
    this.below = below;
    this.zeroes = new ZeroWriter(below);
  }

  @Override
  public long execute(BlockRequest request) {
    return switch (request.op()) {
      case READ, WRITE, FLUSH -> below.execute(request);
      case DISCARD, ZERO -> zero(request);
    };
  }

  /**
   * Whole blocks of the range belong to this command alone: the volume holds a lock on them
   * (Mutation), so an edge may be read and written back.
   */
  private long zero(BlockRequest request) {
    if (request.remainingBytes() == 0) {
      return below.execute(request);
    }
    return zeroes.step(
        request.remainingOffsetBytes(),
        request.remainingBytes(),
        request.isFua() ? BlockRequest.FUA : 0);
  }

  @Override
  public int fd() {
    return below.fd();
  }

  @Override
  public boolean checksWrites() {
    return below.checksWrites();
  }

  @Override
  public Geometry geometry() {
    return below.geometry();
  }

  @Override
  public BackingCapabilities capabilities() {
    return below.capabilities();
  }

  @Override
  public String description() {
    return below.description();
  }

  @Override
  public boolean readOnly() {
    return below.readOnly();
  }

  @Override
  public String identity() {
    return below.identity();
  }

  @Override
  public long tryNow(BlockRequest request) {
    return below.tryNow(request);
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    return below.extentAt(offsetBytes);
  }

  @Override
  public long allocatedBytes() {
    return below.allocatedBytes();
  }

  /** A larger file would end in a hole. */
  @Override
  public void resize(long newSizeBytes) {
    throw new BackingException("a pinned file keeps its size", Errno.EBUSY);
  }

  /** The {@link Backing} below is not this one's to close. */
  @Override
  public void close() {}
}

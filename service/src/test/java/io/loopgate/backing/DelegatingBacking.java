package io.loopgate.backing;

import io.loopgate.block.BlockRequest;

/** Does what another backing does, for tests that change one thing about it. */
public class DelegatingBacking implements Backing {
  private final Backing below;

  /** Wraps a backing, which is not closed with this one. */
  protected DelegatingBacking(Backing below) {
    this.below = below;
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
  public long execute(BlockRequest request) {
    return below.execute(request);
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

  @Override
  public void resize(long newSizeBytes) {
    below.resize(newSizeBytes);
  }

  @Override
  public void close() {}
}

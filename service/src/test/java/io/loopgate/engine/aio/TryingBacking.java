package io.loopgate.engine.aio;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockRequest;

/**
 * A backing whose tries always hit, as asynchronous ones do on a file that is written as a whole;
 * direct backings themselves take none, since theirs would wait for the device.
 */
public record TryingBacking(Backing below) implements Backing {
  @Override
  public long tryNow(BlockRequest request) {
    return below.execute(request);
  }

  @Override
  public long execute(BlockRequest request) {
    return below.execute(request);
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
  public void close() {
    below.close();
  }
}

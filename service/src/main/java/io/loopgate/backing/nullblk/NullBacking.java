package io.loopgate.backing.nullblk;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.SizeRule;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.block.Quantities;
import io.loopgate.sys.NativeMemory;

/**
 * A disk that keeps nothing ({@code drivers/block/null_blk}): writes vanish, and reads are zeroes.
 * It costs nothing but that, so what is measured on it is the cost of everything above.
 *
 * <p>null_blk leaves the memory of a read as it is; here it may hold the bytes of another client,
 * so it is zeroed.
 */
public final class NullBacking implements Backing {
  /** What one read zeroes at most: an event loop may run it. */
  private static final int STEP_BYTES_MAX = 1 << 20;

  private static final int PREFERRED_IO_BYTES = 256 * 1024;
  private static final Support READ_ONLY = Support.no("opened for reading only");
  private static final Support NOW = Support.yes("there is nothing to wait for");
  private static final Support NOTHING_KEPT = Support.no("a null volume keeps nothing");
  private static final Support NOTHING_TO_DO = Support.yes("it is all zeroes anyway");

  private final OpenOptions options;
  private final BackingCapabilities capabilities;
  private volatile Geometry geometry;

  private NullBacking(long sizeBytes, OpenOptions options) {
    this.options = options;
    this.geometry = new Geometry(sizeBytes, 1, 1, PREFERRED_IO_BYTES);
    boolean readOnly = options.readOnly();
    this.capabilities =
        new BackingCapabilities(
            NOW,
            readOnly ? READ_ONLY : NOW,
            Support.no("there is no page cache to go past"),
            readOnly ? READ_ONLY : NOTHING_TO_DO,
            readOnly ? READ_ONLY : NOTHING_TO_DO,
            NOTHING_KEPT,
            NOTHING_KEPT,
            Support.yes("it is one hole"),
            true);
  }

  /**
   * Makes one.
   *
   * @throws BackingException if the size makes no sense
   */
  public static Backing open(long sizeBytes, OpenOptions options) {
    String name = name(sizeBytes);
    SizeRule.check(name, sizeBytes, options.blockSizeBytes());
    if (options.direct()) {
      throw new BackingException(
          name + " takes no `direct=on`: there is no page cache to go past; remove it", 0);
    }
    return new NullBacking(sizeBytes, options);
  }

  private static String name(long sizeBytes) {
    return "null:" + Quantities.formatBytes(sizeBytes);
  }

  @Override
  public Geometry geometry() {
    return geometry;
  }

  @Override
  public BackingCapabilities capabilities() {
    return capabilities;
  }

  @Override
  public String description() {
    return name(geometry.sizeBytes());
  }

  @Override
  public boolean readOnly() {
    return options.readOnly();
  }

  /** All of one size hold the same. */
  @Override
  public String identity() {
    return "null." + Long.toHexString(geometry.sizeBytes());
  }

  @Override
  public long execute(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE, DISCARD, ZERO -> options.readOnly() ? -Errno.READ_ONLY : request.remainingBytes();
      case FLUSH -> 0;
    };
  }

  private static long read(BlockRequest request) {
    long step = Math.min(request.remainingBytes(), STEP_BYTES_MAX);
    NativeMemory.zero(request.remainingAddress(), step);
    return step;
  }

  @Override
  public long tryNow(BlockRequest request) {
    return switch (request.op()) {
      case READ -> read(request);
      case WRITE -> options.readOnly() ? -Errno.EOPNOTSUPP : request.remainingBytes();
      case FLUSH, DISCARD, ZERO -> -Errno.EOPNOTSUPP;
    };
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    return new Extent(offsetBytes, geometry.sizeBytes() - offsetBytes, true);
  }

  @Override
  public long allocatedBytes() {
    return 0;
  }

  @Override
  public synchronized void resize(long newSizeBytes) {
    if (options.readOnly()) {
      throw new BackingException(
          "cannot resize " + description() + ": it is opened for reading only", Errno.EROFS);
    }
    SizeRule.check(description(), newSizeBytes, options.blockSizeBytes());
    geometry = geometry.withSizeBytes(newSizeBytes);
  }

  @Override
  public void close() {
    // There is nothing to give back.
  }
}

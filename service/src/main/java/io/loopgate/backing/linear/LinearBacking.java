package io.loopgate.backing.linear;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.Extent;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.SegmentMap;
import io.loopgate.backing.SegmentedBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Backings one behind the other as one ({@code drivers/md/dm-linear.c}).
 *
 * <p>A step of a command is the part in the first segment it touches, so a command that crosses a
 * boundary is a short transfer, continued in the next segment. That is one segment after the other:
 * an engine that goes to {@link #segments} runs them at once. A flush goes to all.
 */
public final class LinearBacking implements SegmentedBacking {
  private final String description;
  private final List<Backing> segments;
  private final SegmentMap map;
  private final BackingCapabilities capabilities;
  private final int blockSizeBytes;
  private volatile Geometry geometry;

  private LinearBacking(
      String description, List<Backing> segments, SegmentMap map, int blockSizeBytes) {
    this.description = description;
    this.segments = segments;
    this.map = map;
    this.blockSizeBytes = blockSizeBytes;
    this.capabilities = WeakestCapabilities.of(segments);
    this.geometry = joined(segments, map);
  }

  private static Geometry joined(List<Backing> segments, SegmentMap map) {
    int last = segments.size() - 1;
    int alignment = 1;
    int memoryAlignment = 1;
    int preferred = 1;
    for (Backing segment : segments) {
      Geometry own = segment.geometry();
      alignment = Math.max(alignment, own.alignmentBytes());
      memoryAlignment = Math.max(memoryAlignment, own.memoryAlignmentBytes());
      preferred = Math.max(preferred, own.preferredIoBytes());
    }
    long sizeBytes = map.startBytes(last) + segments.get(last).geometry().sizeBytes();
    return new Geometry(sizeBytes, alignment, memoryAlignment, preferred);
  }

  /**
   * Joins backings that are open, all for reading only or none. They are closed with the whole; if
   * they cannot be joined they stay open.
   *
   * @param description how the whole is named in the configuration
   * @param blockSizeBytes the volume's block size
   * @throws BackingException if a size does not fit the alignment of another segment, or all
   *     together are too large
   */
  public static LinearBacking join(String description, List<Backing> segments, int blockSizeBytes) {
    List<Backing> joined = List.copyOf(segments);
    long[] starts = new long[joined.size()];
    long endBytes = 0;
    for (int i = 0; i < starts.length; i++) {
      checkSize(joined, i);
      starts[i] = endBytes;
      endBytes += joined.get(i).geometry().sizeBytes();
      if (endBytes < 0) {
        throw new BackingException(
            "the segments of `" + description + "` are larger together than 63 bits can tell",
            Errno.EFBIG);
      }
    }
    return new LinearBacking(description, joined, new SegmentMap(starts), blockSizeBytes);
  }

  /** What is aligned for the whole has to be aligned on each segment, so all of them begin so. */
  private static void checkSize(List<Backing> segments, int index) {
    long sizeBytes = segments.get(index).geometry().sizeBytes();
    for (int i = 0; i < segments.size(); i++) {
      int alignment = segments.get(i).geometry().alignmentBytes();
      if (sizeBytes % alignment != 0) {
        throw new BackingException(
            WeakestCapabilities.name(index, segments.get(index))
                + " has "
                + sizeBytes
                + " bytes, which is not a multiple of the "
                + alignment
                + " that "
                + WeakestCapabilities.name(i, segments.get(i))
                + " is aligned to: grow it, or remove `direct=on`",
            Errno.EINVAL);
      }
    }
  }

  @Override
  public List<Backing> segments() {
    return segments;
  }

  @Override
  public SegmentMap map() {
    return map;
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
    return description;
  }

  @Override
  public boolean readOnly() {
    return segments.getFirst().readOnly();
  }

  @Override
  public String identity() {
    return segments.stream().map(Backing::identity).collect(Collectors.joining("~", "linear~", ""));
  }

  @Override
  public long execute(BlockRequest request) {
    if (request.op() == BlockOp.FLUSH) {
      return flush(request);
    }
    int segment = map.segmentAt(request.remainingOffsetBytes());
    return segments.get(segment).execute(part(request, segment));
  }

  /** Flushes every segment, also behind one that fails: each has promises of its own to keep. */
  private long flush(BlockRequest request) {
    long result = 0;
    for (int i = 0; i < segments.size(); i++) {
      long flushed = segments.get(i).execute(part(request, i));
      if (flushed < 0 && result == 0) {
        result = flushed;
      }
    }
    return result;
  }

  @Override
  public long tryNow(BlockRequest request) {
    boolean possible =
        switch (request.op()) {
          case READ -> capabilities.nowaitRead().available();
          case WRITE -> capabilities.nowaitWrite().available();
          case FLUSH, DISCARD, ZERO -> false;
        };
    if (!possible) {
      return -Errno.EOPNOTSUPP;
    }
    int segment = map.segmentAt(request.remainingOffsetBytes());
    return segments.get(segment).tryNow(part(request, segment));
  }

  /** Returns the part of a command that lies in a segment; it is run here and never submitted. */
  private BlockRequest part(BlockRequest request, int segment) {
    BlockRequest part = new BlockRequest(request.home());
    if (request.op() == BlockOp.FLUSH) {
      return part.preparePart(request, 0, 0, 0, (ended, result) -> {});
    }
    long offset = request.remainingOffsetBytes();
    long length = Math.min(request.remainingBytes(), map.endBytes(segment) - offset);
    return part.preparePart(
        request, 0, offset - map.startBytes(segment), length, (ended, result) -> {});
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    int segment = map.segmentAt(offsetBytes);
    Extent own = segments.get(segment).extentAt(offsetBytes - map.startBytes(segment));
    return new Extent(offsetBytes, own.lengthBytes(), own.hole());
  }

  @Override
  public long allocatedBytes() {
    return segments.stream().mapToLong(Backing::allocatedBytes).sum();
  }

  /** Resizes the last segment; the others are held between their neighbours. */
  @Override
  public synchronized void resize(long newSizeBytes) {
    int last = segments.size() - 1;
    long lastStart = map.startBytes(last);
    int unit = Math.max(blockSizeBytes, geometry.alignmentBytes());
    if (newSizeBytes <= lastStart || newSizeBytes % unit != 0) {
      throw new BackingException(
          "cannot resize "
              + description
              + " to "
              + newSizeBytes
              + " bytes: only its last segment, "
              + segments.get(last).description()
              + ", can change, so ask for more than "
              + lastStart
              + ", and a multiple of "
              + unit,
          Errno.EINVAL);
    }
    try {
      segments.get(last).resize(newSizeBytes - lastStart);
    } finally {
      geometry = joined(segments, map);
    }
  }

  @Override
  public void close() {
    segments.forEach(Backing::close);
  }
}

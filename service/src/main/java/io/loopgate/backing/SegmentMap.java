package io.loopgate.backing;

import java.util.Arrays;

/**
 * Where the segments of a joined backing begin. Immutable: the last one reaches as far as it is
 * resized.
 */
public final class SegmentMap {
  private final long[] starts;

  /** Takes where each segment begins, rising from 0. */
  public SegmentMap(long[] startBytes) {
    this.starts = startBytes.clone();
    for (int i = 0; i < starts.length; i++) {
      if (i == 0 ? starts[i] != 0 : starts[i] <= starts[i - 1]) {
        throw new IllegalArgumentException("segments begin at " + Arrays.toString(starts));
      }
    }
    if (starts.length == 0) {
      throw new IllegalArgumentException("there is no segment");
    }
  }

  /** Returns how many segments there are. */
  public int count() {
    return starts.length;
  }

  /** Returns the number of the segment that holds an offset, counted from 0. */
  public int segmentAt(long offsetBytes) {
    int found = Arrays.binarySearch(starts, offsetBytes);
    return found >= 0 ? found : -found - 2;
  }

  /** Returns where a segment begins. */
  public long startBytes(int segment) {
    return starts[segment];
  }

  /** Returns where the next segment begins; for the last one a number beyond all sizes. */
  public long endBytes(int segment) {
    return segment + 1 < starts.length ? starts[segment + 1] : Long.MAX_VALUE;
  }
}

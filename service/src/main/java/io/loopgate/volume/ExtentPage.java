package io.loopgate.volume;

import io.loopgate.backing.Backing;
import io.loopgate.backing.Extent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of what lies in a window of a volume: data and holes, ascending, without gaps.
 *
 * @param extents the extents, neighbours of one kind merged
 * @param nextBytes where the next page begins, or the end of the window
 */
public record ExtentPage(List<Extent> extents, long nextBytes) {
  /**
   * A page ends early rather than keep its client, and the control threads, waiting for longer than
   * this.
   */
  private static final Duration TIME_BUDGET = Duration.ofMillis(50);

  /** Copies the list. */
  public ExtentPage {
    extents = List.copyOf(extents);
  }

  /**
   * Reads the page that begins at {@code startBytes}, of at most {@code limit} extents. For control
   * threads.
   */
  public static ExtentPage read(Backing backing, long startBytes, long endBytes, int limit) {
    long stopNanos = System.nanoTime() + TIME_BUDGET.toNanos();
    List<Extent> extents = new ArrayList<>();
    long position = startBytes;
    while (position < endBytes) {
      Extent found = backing.extentAt(position);
      long end = Math.min(found.endBytes(), endBytes);
      int last = extents.size() - 1;
      if (last >= 0 && extents.get(last).hole() == found.hole()) {
        long mergedStart = extents.get(last).startBytes();
        extents.set(last, new Extent(mergedStart, end - mergedStart, found.hole()));
      } else if (extents.size() == limit) {
        break;
      } else {
        extents.add(new Extent(position, end - position, found.hole()));
      }
      position = end;
      if (System.nanoTime() - stopNanos >= 0) {
        break;
      }
    }
    return new ExtentPage(extents, position);
  }
}

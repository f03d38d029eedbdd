package io.loopgate.backing;

import java.util.List;

/**
 * A backing that is made of others, one behind the other. Whoever can run commands on several at a
 * time goes to the segments; for everyone else it is a backing like any other.
 */
public interface SegmentedBacking extends Backing {
  /** Returns the segments in order; never changes. They are closed with this backing. */
  List<Backing> segments();

  /** Returns where they begin. */
  SegmentMap map();
}

package io.loopgate.engine.uring;

import io.loopgate.engine.TestLoop;
import io.netty.channel.uring.IoUringIoHandler;
import java.util.ArrayList;
import java.util.List;

/**
 * Event loops on io_uring. All tests share them, and nobody closes them: a Netty loop with a ring
 * that ends may damage the heap of the process (see {@code RingThread}).
 */
final class RingLoops {
  private static final List<TestLoop> ALL = new ArrayList<>();

  private RingLoops() {}

  /** Returns so many of them, numbered from 0. */
  static List<TestLoop> take(int count) {
    while (ALL.size() < count) {
      ALL.add(new TestLoop(ALL.size(), IoUringIoHandler.newFactory()));
    }
    return List.copyOf(ALL.subList(0, count));
  }
}

package io.loopgate.engine.aio;

/**
 * How many commands a loop gathers before it hands them to the kernel.
 *
 * <p>A system call for many costs less than one for each, and neighbours can only be found among
 * those that are gathered. But what is gathered is not in the device: with few commands in flight
 * it runs dry meanwhile. So a gathering is a small part of what the kernel has, unless the last one
 * had neighbours in it, or there was none yet: neighbours are worth more than the wait. 12 jobs of
 * depth 1 were 0.93 of fio's psync with gatherings of a whole turn, and 1.03 with two at a time.
 *
 * <p>Confined to the loop.
 */
final class BatchLimit {
  /** The least gathering: two cost one system call. */
  private static final int LEAST = 2;

  /** The kernel has this many times a gathering. */
  private static final int SHARE = 8;

  private boolean foundNeighbours = true;

  /**
   * Returns how many to gather at most now; what is merged into few groups is not limited here.
   *
   * @param inKernel how many transfers the kernel has
   */
  int commands(int inKernel) {
    return foundNeighbours ? Integer.MAX_VALUE : Math.max(LEAST, inKernel / SHARE);
  }

  /**
   * Learns from a gathering of so many commands that made so many groups; one alone says nothing.
   */
  void gathered(int commands, int groups) {
    if (commands > 1) {
      foundNeighbours = groups < commands;
    }
  }
}

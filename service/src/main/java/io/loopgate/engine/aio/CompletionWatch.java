package io.loopgate.engine.aio;

import io.loopgate.engine.LoopContext;
import io.loopgate.sys.EventFd;

/** How a queue comes to look for transfers that have ended. */
public interface CompletionWatch {
  /** There may be transfers to look for; on the thread that submitted them. Never blocks. */
  void expect();

  /**
   * Stops looking. For control threads, when nothing is in flight.
   *
   * @return whether nothing looks any more; if not, nothing it might touch may be freed
   */
  boolean close();

  /** A way of looking; engines differ in it. */
  interface Kind {
    /** Tells whether the kernel signals ends; if not, looking is polling. */
    boolean signals();

    /** Returns how many commands of one turn of a loop go to the kernel together at most. */
    int batchMax();

    /**
     * Begins to look for the ends of a queue's transfers.
     *
     * @param queue what looks, by {@link AioEngine#poll}
     * @param loop the first loop of the queue
     * @param signal what the kernel signals; none unless {@link #signals}
     */
    CompletionWatch open(AioEngine queue, LoopContext loop, EventFd signal);
  }
}

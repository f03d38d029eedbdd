package io.loopgate.engine.netty;

import io.loopgate.block.BlockRequest;
import java.util.concurrent.Executor;

/**
 * A share in a ring of the kernel, which transfers bytes of one file, and the ring's one thread.
 *
 * <p>A seam: engines see no more of io_uring than this. The thread contract is with each method.
 */
public interface Ring extends Executor, AutoCloseable {
  /** Whom a ring tells what happened. All methods run on the ring's thread and must not throw. */
  interface Listener {
    /**
     * A transfer has ended; the kernel no longer touches its memory.
     *
     * @param slot the number it was given
     * @param result bytes moved, or a negative {@link io.loopgate.block.Errno} number
     */
    void ended(int slot, int result);

    /** The thread is about to end, against the engine's will: nothing will be taken any more. */
    void closing();
  }

  /** Tells whether the caller is the ring's thread. */
  boolean isHere();

  /**
   * Runs a task on the ring's thread, soon, in order. Any thread; never blocks.
   *
   * @throws java.util.concurrent.RejectedExecutionException if that thread has ended
   */
  @Override
  void execute(Runnable task);

  /**
   * Begins the transfer of the remaining part of a read or write, or of as much of it as one step
   * takes. On the ring's thread; never blocks; {@link Listener#ended} follows, not from inside.
   *
   * @param slot tells it from the others in flight; below 32768
   * @return false if the ring does not take it: nothing happened
   */
  boolean transfer(int slot, BlockRequest request);

  /**
   * Takes no more transfers and leaves the ring once the last of them has ended; waits for that for
   * a few seconds. Not on the ring's thread.
   */
  @Override
  void close();
}

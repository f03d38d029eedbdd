package io.loopgate.engine;

import io.loopgate.block.BlockRequest;

/** A FIFO of commands and the threads that run them, apart from other lanes of the same engine. */
public interface CommandLane extends AutoCloseable {
  /**
   * Queues a command that its engine has counted. Never blocks; any thread.
   *
   * @return false if the lane is full or can have no thread: nothing happened
   */
  boolean offer(BlockRequest request);

  /**
   * As {@link #offer}, on the loop that owns the command: whatever this loop offers in one turn may
   * be looked for when the turn ends.
   */
  default boolean offerInTurn(BlockRequest request) {
    return offer(request);
  }

  /** Ends with {@code -CLOSED} what is still queued and gives the threads back. */
  @Override
  void close();
}

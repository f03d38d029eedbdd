package io.loopgate.block;

/**
 * The way home for a command that ended on another thread: the loop that submitted it.
 *
 * <p>Implementations hand over in batches and wake the loop once per batch.
 */
public interface CompletionSink {
  /** Takes a request that has ended; callable from every thread, never blocks. */
  void offer(BlockRequest request);

  /**
   * Returns the number of the loop, counted from 0; a loop always uses the same queue of an engine.
   */
  int loopIndex();
}

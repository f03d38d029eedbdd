package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.time.Duration;

/**
 * Runs the commands of one volume: decides where and when.
 *
 * <p>Guarantees, which {@code EngineContract} checks for every implementation:
 *
 * <ol>
 *   <li>{@link #submit} is called on the loop that owns the request ({@link BlockRequest#home()}),
 *       never waits for a device, a lock or room in a queue, and neither allocates nor frees memory
 *       of the request.
 *   <li>An accepted command ends exactly once, on its own loop; it may end inside {@code submit}. A
 *       refused one never ends and is the submitter's again at once.
 *   <li>Short transfers are continued, so a result is the whole length or a negative number.
 *   <li>There is no order between commands. A flush covers the writes that had ended before it was
 *       submitted.
 *   <li>After {@link #close} nothing is accepted; everything accepted before has ended or ends with
 *       {@code -CLOSED}.
 * </ol>
 */
public interface LoopEngine extends AutoCloseable {
  /**
   * Takes a command.
   *
   * @return false if the engine is full or closed: nothing happened, the caller answers for it
   */
  boolean submit(BlockRequest request);

  /** Returns how many commands were accepted and have not ended; any thread. */
  int inFlight();

  /**
   * Waits until nothing is in flight. For control threads: it blocks. Submissions meanwhile are the
   * caller's to stop.
   *
   * @return whether nothing was in flight in the end
   */
  boolean drain(Duration timeout);

  /**
   * Stops taking commands, lets the running ones end and gives the threads back. For control
   * threads.
   */
  @Override
  void close();
}

package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends commands: at once where their loop is the one that runs, else through their loop's queue.
 *
 * <p>Any thread; a completion that throws is logged and nobody else's trouble.
 */
public final class Ends {
  private static final Logger LOG = LoggerFactory.getLogger(Ends.class);

  private final InFlight inFlight;

  /**
   * Ends commands that have entered.
   *
   * @param inFlight what they leave
   */
  public Ends(InFlight inFlight) {
    this.inFlight = inFlight;
  }

  /**
   * Ends a command.
   *
   * @param here the loop that runs this, or null on a thread that is none and wherever a completion
   *     must not run yet
   */
  @SuppressWarnings("ReferenceEquality") // two loops are the same if they are one
  public void end(BlockRequest request, long result, @Nullable CompletionSink here) {
    // Room first: the completion may submit the next command, and must not be refused for this one.
    inFlight.beginLeaving();
    try {
      if (request.home() == here) {
        request.completeHere(result);
      } else {
        request.completeFromAnywhere(result);
      }
    } catch (RuntimeException | Error e) {
      Failures.handle(LOG, "the completion of {} failed", request, e);
    } finally {
      inFlight.endLeaving();
    }
  }
}

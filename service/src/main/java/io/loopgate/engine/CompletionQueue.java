package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings ended commands back to their event loop, in batches with one wake-up each.
 *
 * <p>Workers push, and the first of a batch wakes the loop; all that come before it runs ride
 * along. The loop takes the whole stack at once and ends the commands oldest first.
 */
public final class CompletionQueue implements CompletionSink {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionQueue.class);

  private final int loopIndex;
  private final Executor loop;
  private final RequestStack ended = new RequestStack();
  private final Runnable drain = this::drain;

  /** Creates the way home to a loop. */
  public CompletionQueue(int loopIndex, Executor loop) {
    this.loopIndex = loopIndex;
    this.loop = loop;
  }

  @Override
  public void offer(BlockRequest request) {
    if (ended.push(request)) {
      loop.execute(drain);
    }
  }

  @Override
  public int loopIndex() {
    return loopIndex;
  }

  private void drain() {
    BlockRequest request = ended.takeAll();
    while (request != null) {
      // Read first: the completion may use the slot again.
      BlockRequest following = request.next();
      try {
        request.runCompletion();
      } catch (RuntimeException e) {
        LOG.error("a completion failed", e);
      }
      request = following;
    }
  }
}

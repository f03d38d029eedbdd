package io.loopgate.volume;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;

/**
 * The home of requests that a control thread runs itself, step by step, and that no engine ever
 * sees.
 */
final class NobodysLoop implements CompletionSink {
  @Override
  public void offer(BlockRequest request) {
    throw new IllegalStateException("no engine should have had " + request);
  }

  @Override
  public int loopIndex() {
    return 0;
  }
}

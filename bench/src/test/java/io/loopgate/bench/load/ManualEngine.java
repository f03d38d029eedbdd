package io.loopgate.bench.load;

import io.loopgate.block.BlockRequest;
import io.loopgate.engine.LoopEngine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.ToLongFunction;

/** An engine that ends commands inside submit, or keeps them until the test ends them. */
final class ManualEngine implements LoopEngine {
  final ArrayDeque<BlockRequest> held = new ArrayDeque<>();
  ToLongFunction<BlockRequest> result = BlockRequest::lengthBytes;
  boolean holds;
  boolean full;
  int submitted;
  int nesting;
  int deepest;

  @Override
  public boolean submit(BlockRequest request) {
    if (full) {
      return false;
    }
    submitted++;
    if (holds) {
      held.add(request);
      return true;
    }
    nesting++;
    deepest = Math.max(deepest, nesting);
    request.completeHere(result.applyAsLong(request));
    nesting--;
    return true;
  }

  /** Ends the oldest command that is held. */
  void endOne() {
    BlockRequest request = held.remove();
    request.completeHere(result.applyAsLong(request));
  }

  @Override
  public int inFlight() {
    return held.size();
  }

  @Override
  public boolean drain(Duration timeout) {
    return held.isEmpty();
  }

  @Override
  public void close() {}
}

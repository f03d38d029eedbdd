package io.loopgate.engine;

import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;

/** Requests without memory, for tests of what carries them about. */
final class Slots {
  private Slots() {}

  /** Returns a request whose offset tells it from others. */
  static BlockRequest slot(long number) {
    return slot(new CompletionQueue(0, Runnable::run), number, (request, result) -> {});
  }

  static BlockRequest slot(CompletionSink home, long number, BlockCompletion completion) {
    return new BlockRequest(home)
        .prepare(BlockOp.READ, number, 1, 0, 0, BlockRequest.NO_DEADLINE, completion);
  }
}

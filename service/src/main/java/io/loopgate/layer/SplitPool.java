package io.loopgate.layer;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.InFlight;
import java.util.ArrayDeque;

/** The slots of one loop for commands that are split, used again. Confined to its loop. */
final class SplitPool {
  private final CompletionSink home;
  private final ArrayDeque<Split> splits = new ArrayDeque<>();
  private final ArrayDeque<Split.Part> parts = new ArrayDeque<>();

  SplitPool(CompletionSink home) {
    this.home = home;
  }

  Split split(BlockRequest whole, InFlight commands) {
    Split pooled = splits.poll();
    Split split = pooled != null ? pooled : new Split(this, commands);
    split.begin(whole);
    return split;
  }

  Split.Part part() {
    Split.Part pooled = parts.poll();
    return pooled != null ? pooled : new Split.Part(home);
  }

  void give(Split split) {
    splits.push(split);
  }

  void give(Split.Part part) {
    parts.push(part);
  }
}

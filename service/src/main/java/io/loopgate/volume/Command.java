package io.loopgate.volume;

import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockRequest;
import org.jspecify.annotations.Nullable;

/** A pooled slot of one loop, with who waits for it. Confined to its loop. */
final class Command implements BlockCompletion {
  private final IoLoop loop;
  private final BlockRequest request;
  private @Nullable Volume volume;
  private @Nullable IoHandler handler;

  Command(IoLoop loop) {
    this.loop = loop;
    this.request = new BlockRequest(loop.context().completions());
  }

  BlockRequest request() {
    return request;
  }

  void arm(Volume forVolume, IoHandler whenEnded) {
    volume = forVolume;
    handler = whenEnded;
  }

  @Override
  public void completed(BlockRequest ended, long result) {
    Volume commandVolume = volume;
    IoHandler commandHandler = handler;
    if (commandVolume == null || commandHandler == null) {
      throw new IllegalStateException("nobody waits for " + ended);
    }
    volume = null;
    handler = null;
    commandVolume.telemetry().commandEnded(ended.op(), result);
    // Back in the pool first: the handler may submit the next command.
    loop.give(this);
    commandHandler.ended(result);
  }
}

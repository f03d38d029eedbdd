package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;

/**
 * Does on an event loop, before its first request, what each thread does only once: the pools of
 * its thread come into being. Compiled code has no room for what happens once; that code would be
 * thrown away when the first clients come.
 */
final class LoopTouch {
  private static final int[] SIZES_BYTES = {512, 2 << 10, 5 << 10, 17 << 10, 65 << 10};

  private LoopTouch() {}

  /** Touches the pools of this thread and the memory of its loop. */
  static void run(BufferBudget buffers) {
    EmbeddedChannel channel = new EmbeddedChannel();
    for (int bytes : SIZES_BYTES) {
      ByteBuf buffer = buffers.tryTake(bytes);
      if (buffer != null) {
        channel.writeOutbound(buffer.retainedSlice());
        channel.releaseOutbound();
        buffers.give(buffer);
      }
    }
    channel.finishAndReleaseAll();
    ByteBuf large = buffers.tryTake(RangeBody.CHUNK_BYTES);
    if (large != null) {
      buffers.give(large);
    }
  }
}

package io.loopgate.bench.http;

import io.netty.buffer.ByteBuf;
import java.util.Optional;
import java.util.SplittableRandom;

/** Makes what writes carry: noise, or what a model wants. For one thread. */
final class Payloads {
  private final Optional<BlockModel> model;
  private final byte[] bytes;

  /**
   * Creates a maker.
   *
   * @param lengthMax of the longest payload
   */
  Payloads(Optional<BlockModel> model, int lengthMax, long seed) {
    this.model = model;
    this.bytes = new byte[lengthMax];
    // Zeroes could be stored as nothing somewhere below.
    new SplittableRandom(seed).nextBytes(bytes);
  }

  /** Appends the payload of a write. */
  void append(ByteBuf out, Exchange exchange) {
    model.ifPresent(blocks -> blocks.fill(bytes, 0, exchange.offsetBytes, exchange.version));
    out.writeBytes(bytes, 0, (int) exchange.lengthBytes);
  }
}

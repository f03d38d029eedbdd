package io.loopgate.bench.http;

import io.loopgate.bench.load.Offsets;
import io.loopgate.block.BlockOp;
import java.util.Optional;
import java.util.OptionalInt;

/** Decides what commands are, and judges what came back. For one event loop. */
final class Commands {
  /** How many other blocks are tried when one is being written. */
  private static final int CLAIMS_MAX = 1000;

  private final Optional<BlockModel> model;
  private final boolean whole;
  private final long sizeBytes;

  /**
   * Creates one.
   *
   * @param model what is known of the bytes, if they are to be verified
   * @param whole whether each command reads all there is
   * @param sizeBytes how much there is
   */
  Commands(Optional<BlockModel> model, boolean whole, long sizeBytes) {
    this.model = model;
    this.whole = whole;
    this.sizeBytes = sizeBytes;
  }

  /** Makes an exchange the next command of its lane. */
  void next(Exchange exchange) {
    if (whole) {
      exchange.op = BlockOp.READ;
      exchange.offsetBytes = 0;
      exchange.lengthBytes = sizeBytes;
      return;
    }
    Offsets offsets = exchange.lane.offsets();
    offsets.next();
    exchange.op = offsets.op();
    exchange.offsetBytes = offsets.offsetBytes();
    exchange.lengthBytes = offsets.lengthBytes();
    if (model.isPresent()) {
      prepare(exchange, offsets, model.get());
    }
  }

  private static void prepare(Exchange exchange, Offsets offsets, BlockModel blocks) {
    if (exchange.op != BlockOp.READ) {
      OptionalInt version = claim(exchange, offsets, blocks);
      if (version.isPresent()) {
        exchange.version = version.getAsInt();
        return;
      }
      // All blocks are being written, or nobody knows what became of their last write.
      exchange.op = BlockOp.READ;
    }
    exchange.version = blocks.floor(exchange.offsetBytes);
  }

  private static OptionalInt claim(Exchange exchange, Offsets offsets, BlockModel blocks) {
    OptionalInt version = blocks.claim(exchange.offsetBytes);
    for (int tries = 0; version.isEmpty() && tries < CLAIMS_MAX; tries++) {
      offsets.next();
      if (offsets.op() != BlockOp.READ) {
        exchange.offsetBytes = offsets.offsetBytes();
        version = blocks.claim(exchange.offsetBytes);
      }
    }
    return version;
  }

  /** Returns what is wrong with an answer, or an empty text. */
  String judge(Exchange exchange, int status, int wanted) {
    if (status != wanted) {
      return "status " + status + ", not " + wanted;
    }
    if (exchange.op == BlockOp.READ && exchange.received != exchange.lengthBytes) {
      return "a body of " + exchange.received + " bytes";
    }
    return model.isPresent() ? verify(exchange, model.get()) : "";
  }

  private static String verify(Exchange exchange, BlockModel blocks) {
    if (exchange.op != BlockOp.READ) {
      blocks.acknowledge(exchange.offsetBytes, exchange.version);
      return "";
    }
    int at = blocks.mismatch(exchange.body(), 0, exchange.offsetBytes, exchange.version);
    return at < 0 ? "" : "wrong bytes from " + (exchange.offsetBytes + at) + " on";
  }
}

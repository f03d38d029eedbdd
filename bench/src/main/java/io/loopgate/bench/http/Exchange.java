package io.loopgate.bench.http;

import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;

/**
 * One command under way: what was asked, when, and what came back so far. Reused by its lane; for
 * the lane's event loop.
 */
final class Exchange {
  /** What a server answers to a command of the queue that went well. */
  static final int QUEUE_SUCCESS = 0;

  private static final byte[] NOTHING = {};

  final Lane lane;
  final int index;

  BlockOp op = BlockOp.READ;
  long offsetBytes;
  long lengthBytes;

  /** When it was meant to begin. */
  long startNanos;

  /** When it went out. */
  long sentNanos;

  boolean inFlight;

  /** The version a read has to find at least; the version a write puts. */
  int version;

  /** How many bytes of a read's body came. */
  long received;

  private final byte[] body;

  /**
   * Creates one.
   *
   * @param index tells it from the others of its lane
   * @param bodyBytes how much of a body is kept; 0 if nobody will look
   */
  Exchange(Lane lane, int index, int bodyBytes) {
    this.lane = lane;
    this.index = index;
    this.body = bodyBytes == 0 ? NOTHING : new byte[bodyBytes];
  }

  /** Takes bytes of a body; those that do not fit only count. */
  void receive(ByteBuf in, int length) {
    if (received < body.length) {
      int kept = (int) Math.min(length, body.length - received);
      in.getBytes(in.readerIndex(), body, (int) received, kept);
    }
    in.skipBytes(length);
    received += length;
  }

  byte[] body() {
    return body;
  }

  /** Returns what an error names. */
  String at(String url) {
    String what = op == BlockOp.READ ? "GET " : "PUT ";
    return what + url + " bytes " + offsetBytes + "-" + (offsetBytes + lengthBytes - 1);
  }
}

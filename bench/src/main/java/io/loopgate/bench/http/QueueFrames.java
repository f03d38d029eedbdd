package io.loopgate.bench.http;

import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames of a queue as a client makes and reads them. Completions may come in pieces of any
 * length. For one thread; allocates nothing.
 */
final class QueueFrames {
  /** How long a frame is without its payload. */
  static final int FRAME_BYTES = 32;

  /** The tag of the frame that ends a queue whose commands made no sense. */
  static final long END_TAG = -1;

  /** What is sent as the type of the request. */
  static final String TYPE = "application/vnd.loopgate.queue";

  private static final int COMMAND_MAGIC = magic("LGRQ");
  private static final int COMPLETION_MAGIC = magic("LGRP");
  private static final int READ = 0;
  private static final int WRITE = 1;
  private static final int FUA = 1;
  private static final int STATUS_AT = 4;
  private static final int TAG_AT = 8;
  private static final int LENGTH_AT = 24;

  /** Gets completions. */
  interface Sink {
    /** A completion begins; its payload follows. */
    void begin(long tag, int status);

    /** Takes exactly so many bytes of the payload. */
    void payload(ByteBuf in, int length);

    /** The completion is whole. */
    void end();
  }

  private final Sink sink;
  private final ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
  private int payloadLeft;

  QueueFrames(Sink sink) {
    this.sink = sink;
  }

  private static int magic(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)).getInt();
  }

  /** Appends the frame of a command; the payload of a write has to follow. */
  static void append(ByteBuf out, Exchange exchange, boolean durable) {
    boolean reads = exchange.op == BlockOp.READ;
    out.writeInt(COMMAND_MAGIC)
        .writeByte(reads ? READ : WRITE)
        .writeByte(!reads && durable ? FUA : 0)
        .writeShort(0)
        .writeLong(exchange.index)
        .writeLong(exchange.offsetBytes)
        .writeInt((int) exchange.lengthBytes)
        .writeInt(0);
  }

  /** Takes so many bytes of the answer. */
  void read(ByteBuf in, int length) {
    int left = length;
    while (left > 0) {
      if (payloadLeft > 0) {
        int count = Math.min(left, payloadLeft);
        sink.payload(in, count);
        payloadLeft -= count;
        left -= count;
        if (payloadLeft == 0) {
          sink.end();
        }
      } else {
        left -= readFrame(in, left);
      }
    }
  }

  private int readFrame(ByteBuf in, int length) {
    int count = Math.min(length, frame.remaining());
    in.readBytes(frame.array(), frame.position(), count);
    frame.position(frame.position() + count);
    if (!frame.hasRemaining()) {
      frame.clear();
      if (frame.getInt(0) != COMPLETION_MAGIC || frame.getInt(LENGTH_AT) < 0) {
        throw new ResponseParser.MalformedException("what is no completion of a queue");
      }
      payloadLeft = frame.getInt(LENGTH_AT);
      sink.begin(frame.getLong(TAG_AT), frame.getShort(STATUS_AT) & 0xffff);
      if (payloadLeft == 0) {
        sink.end();
      }
    }
    return count;
  }
}

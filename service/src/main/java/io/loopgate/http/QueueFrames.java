package io.loopgate.http;

import io.netty.buffer.ByteBuf;

/**
 * The frames of the queue as they stand on the wire: 32 bytes, big-endian, a payload behind them.
 * Stateless.
 *
 * <pre>
 * command     u32 LGRQ, u8 op, u8 flags, u16 0, u64 tag, u64 offset, u32 length, u32 crc32c or 0
 * completion  u32 LGRP, u16 status, u16 0, u64 tag, u64 sequence, u32 payload length, u32 crc32c or 0
 * </pre>
 */
final class QueueFrames {
  static final String TYPE = "application/vnd.loopgate.queue";
  static final int FRAME_BYTES = 32;
  static final int COMMAND_MAGIC = 0x4C475251;
  static final int COMPLETION_MAGIC = 0x4C475250;
  static final int FUA = 1;

  /** 2^64-1: the tag of the frame that ends a stream; no command has it. */
  static final long END_TAG = -1;

  /** The longest command; OPTIONS tells it. */
  static final int MAX_IO_BYTES = 1 << 20;

  private QueueFrames() {}

  /** Writes the frame of a completion at an index; its payload is there or comes behind it. */
  static void setCompletion(
      ByteBuf out, int index, int status, long tag, long sequence, int payloadBytes, int crc) {
    out.setInt(index, COMPLETION_MAGIC)
        .setShort(index + 4, status)
        .setShort(index + 6, 0)
        .setLong(index + 8, tag)
        .setLong(index + 16, sequence)
        .setInt(index + 24, payloadBytes)
        .setInt(index + 28, crc);
  }
}

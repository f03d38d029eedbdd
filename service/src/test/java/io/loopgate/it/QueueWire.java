package io.loopgate.it;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The frames of a queue as a client makes and reads them, straight from the contract. */
public final class QueueWire {
  public static final String TYPE = "application/vnd.loopgate.queue";
  public static final int FRAME_BYTES = 32;
  public static final long END_TAG = -1;

  public static final int READ = 0;
  public static final int WRITE = 1;
  public static final int FLUSH = 2;
  public static final int DISCARD = 3;
  public static final int ZERO = 4;
  public static final int FUA = 1;

  private static final int COMMAND_MAGIC = magic("LGRQ");
  private static final int COMPLETION_MAGIC = magic("LGRP");

  private QueueWire() {}

  /**
   * A completion.
   *
   * @param tag the tag of the command
   * @param status 0, or an HTTP status
   * @param sequence the sequence of the volume
   * @param payload what a read read
   * @param crc what the frame says of the payload; checked already
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  public record Completion(long tag, int status, long sequence, byte[] payload, int crc) {}

  private static int magic(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)).getInt();
  }

  /** Appends the frame of a command. */
  public static void putCommand(
      ByteBuffer out, int op, int flags, long tag, long offset, int length, int crc) {
    out.putInt(COMMAND_MAGIC)
        .put((byte) op)
        .put((byte) flags)
        .putShort((short) 0)
        .putLong(tag)
        .putLong(offset)
        .putInt(length)
        .putInt(crc);
  }

  /** Returns the frame of a command without a payload. */
  public static byte[] command(int op, long tag, long offset, int length) {
    ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
    putCommand(frame, op, 0, tag, offset, length, 0);
    return frame.array();
  }

  /** Returns a read. */
  public static byte[] read(long tag, long offset, int length) {
    return command(READ, tag, offset, length);
  }

  /** Returns a write with its payload, whose crc32c is not told. */
  public static byte[] write(long tag, long offset, byte[] payload) {
    return write(tag, offset, payload, 0, 0);
  }

  /** Returns a write with its payload. */
  public static byte[] write(long tag, long offset, byte[] payload, int flags, int crc) {
    ByteBuffer out = ByteBuffer.allocate(FRAME_BYTES + payload.length);
    putCommand(out, WRITE, flags, tag, offset, payload.length, crc);
    return out.put(payload).array();
  }

  /** Returns one after the other. */
  public static byte[] join(byte[]... pieces) {
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    ByteBuffer joined = ByteBuffer.allocate(length);
    for (byte[] piece : pieces) {
      joined.put(piece);
    }
    return joined.array();
  }

  /** Returns the crc32c of bytes. */
  public static int crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /**
   * Reads one completion.
   *
   * @throws AssertionError if it breaks the contract
   * @throws java.nio.BufferUnderflowException if it is cut short
   */
  public static Completion completion(ByteBuffer in) {
    int magic = in.getInt();
    int status = in.getShort() & 0xffff;
    int reserved = in.getShort();
    long tag = in.getLong();
    long sequence = in.getLong();
    byte[] payload = new byte[in.getInt()];
    int crc = in.getInt();
    in.get(payload);
    if (magic != COMPLETION_MAGIC || reserved != 0) {
      throw new AssertionError("no completion: magic " + magic + ", reserved " + reserved);
    }
    if (crc != 0 && crc != crc32c(payload)) {
      throw new AssertionError("tag " + tag + " has a wrong crc32c");
    }
    return new Completion(tag, status, sequence, payload, crc);
  }

  /** Returns the length of the payload behind a frame. */
  public static int payloadBytes(byte[] completionFrame) {
    return ByteBuffer.wrap(completionFrame).getInt(24);
  }

  /** Reads all completions of an answer. */
  public static List<Completion> completions(byte[] answer) {
    ByteBuffer in = ByteBuffer.wrap(answer);
    List<Completion> all = new ArrayList<>();
    while (in.hasRemaining()) {
      all.add(completion(in));
    }
    return all;
  }
}

package io.loopgate.http;

import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Reads the frames of commands out of bytes that arrive in pieces of any size. Holds one frame at a
 * time; allocates nothing. Confined to its loop.
 */
final class QueueParser {
  /** The operations by their code on the wire. */
  private static final BlockOp[] OPS = {
    BlockOp.READ, BlockOp.WRITE, BlockOp.FLUSH, BlockOp.DISCARD, BlockOp.ZERO
  };

  private final ByteBuf split =
      Unpooled.wrappedBuffer(new byte[QueueFrames.FRAME_BYTES]).setIndex(0, 0);
  private final int maxIoBytes;
  private boolean wellFormed;
  private BlockOp op = BlockOp.READ;
  private boolean fua;
  private long tag;
  private long offsetBytes;
  private int lengthBytes;
  private int crc;

  /** A command longer than {@code maxIoBytes} is malformed. */
  QueueParser(int maxIoBytes) {
    this.maxIoBytes = maxIoBytes;
  }

  /**
   * Takes bytes up to the end of a frame; payloads are the caller's.
   *
   * @return whether a frame is complete: then the accessors tell what it says
   */
  boolean read(ByteBuf data) {
    int missing = QueueFrames.FRAME_BYTES - split.readableBytes();
    if (missing == QueueFrames.FRAME_BYTES && data.readableBytes() >= missing) {
      decode(data);
      return true;
    }
    split.writeBytes(data, Math.min(missing, data.readableBytes()));
    if (split.isWritable()) {
      return false;
    }
    decode(split);
    split.clear();
    return true;
  }

  private void decode(ByteBuf data) {
    int magic = data.readInt();
    int code = data.readUnsignedByte();
    int flags = data.readUnsignedByte();
    int reserved = data.readUnsignedShort();
    tag = data.readLong();
    offsetBytes = data.readLong();
    long length = data.readUnsignedInt();
    crc = data.readInt();
    wellFormed =
        magic == QueueFrames.COMMAND_MAGIC
            && code < OPS.length
            && (flags & ~QueueFrames.FUA) == 0
            && reserved == 0
            && length <= maxIoBytes
            && tag != QueueFrames.END_TAG;
    if (wellFormed) {
      op = OPS[code];
      fua = flags != 0;
      lengthBytes = (int) length;
    }
  }

  /** Tells whether a part of a frame was read, and not all of it. */
  boolean isAmidFrame() {
    return split.isReadable();
  }

  /** Tells whether the frame is one of the contract; if not, the others tell nothing. */
  boolean isWellFormed() {
    return wellFormed;
  }

  BlockOp op() {
    return op;
  }

  boolean fua() {
    return fua;
  }

  long tag() {
    return tag;
  }

  /** Returns the offset; negative for one over 2^63, which lies in no volume. */
  long offsetBytes() {
    return offsetBytes;
  }

  int lengthBytes() {
    return lengthBytes;
  }

  /** Returns the crc32c that the payload is said to have, or 0. */
  int crc() {
    return crc;
  }
}

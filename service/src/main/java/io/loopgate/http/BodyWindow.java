package io.loopgate.http;

import io.loopgate.backing.Geometry;
import io.loopgate.volume.IoWindow;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a request body in direct memory, laid out so that it can be written as it is: aligned,
 * with room for the edges that an unaligned piece needs. Confined to its loop.
 */
final class BodyWindow {
  /**
   * Pieces end on multiples of this, so that only the first and the last of a body can be
   * unaligned.
   */
  static final int PIECE_BYTES = 256 << 10;

  private final ByteBuf buffer;
  private final Geometry geometry;
  private final long offsetBytes;
  private final int capacityBytes;
  private final int firstIndex;
  private int filledBytes;

  private BodyWindow(ByteBuf buffer, Geometry geometry, IoWindow room, int firstIndex) {
    this.buffer = buffer;
    this.geometry = geometry;
    this.offsetBytes = room.offsetBytes();
    this.capacityBytes = room.rangeBytes();
    this.firstIndex = firstIndex;
  }

  /** Takes memory for a piece at this offset; null if there is none. */
  static @Nullable BodyWindow tryTake(
      BufferBudget buffers, Geometry geometry, long offsetBytes, long expectedBytes) {
    int length = (int) Math.min(expectedBytes, PIECE_BYTES - offsetBytes % PIECE_BYTES);
    // One byte short of the room may come: a chunked body ends where it ends. So room for edges
    // always.
    IoWindow room = IoWindow.around(offsetBytes, length, geometry);
    int scratch = geometry.alignmentBytes() == 1 ? 0 : geometry.alignmentBytes();
    ByteBuf buffer =
        buffers.tryTake(room.lengthBytes() + scratch + geometry.memoryAlignmentBytes() - 1);
    if (buffer == null) {
      return null;
    }
    long address = room.alignedAddress(buffer.memoryAddress());
    return new BodyWindow(
        buffer, geometry, room, (int) (address - buffer.memoryAddress()) + room.skipBytes());
  }

  /** Moves as much as there is room for out of {@code data}, and returns how much that was. */
  int fill(ByteBuf data) {
    int length = Math.min(capacityBytes - filledBytes, data.readableBytes());
    buffer.setBytes(firstIndex + filledBytes, data, length);
    filledBytes += length;
    return length;
  }

  boolean isFull() {
    return filledBytes == capacityBytes;
  }

  int filledBytes() {
    return filledBytes;
  }

  long offsetBytes() {
    return offsetBytes;
  }

  /** Returns what was filled, for a digest. */
  ByteBuffer filled(int from) {
    return buffer.nioBuffer(firstIndex + from, filledBytes - from);
  }

  /** Returns the window of what was filled. */
  IoWindow window() {
    return IoWindow.around(offsetBytes, filledBytes, geometry);
  }

  /** Returns the address of that window. */
  long address() {
    return buffer.memoryAddress() + firstIndex - window().skipBytes();
  }

  void giveBack(BufferBudget buffers) {
    buffers.give(buffer);
  }
}

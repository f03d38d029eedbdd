package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What one queue stream holds of its loop's buffers, up to a bound of its own: payloads of commands
 * in flight, and completions the client has not taken. Confined to its loop.
 *
 * <p>At the bound no further command is read. It leaves room for what the contract lets a client
 * leave unread: the reads of a batch up to the longest command, and the frames of the rest.
 */
final class QueueMemory {
  private static final long HELD_BYTES_MAX = 4L << 20;

  private final BufferBudget buffers;
  private final Runnable whenRoom;
  private long heldBytes;
  private boolean waiting;
  private boolean closed;

  /** {@code whenRoom} runs after {@link #awaitRoom}. */
  QueueMemory(BufferBudget buffers, Runnable whenRoom) {
    this.buffers = buffers;
    this.whenRoom = whenRoom;
  }

  /** Tells whether there can ever be a buffer of this size. */
  boolean fits(int bytes) {
    return buffers.fits(bytes);
  }

  /** Returns a buffer for a command, or null if there is no room now. */
  @Nullable ByteBuf tryTakeForCommand(int bytes) {
    boolean overBound = heldBytes > 0 && heldBytes + bytes > HELD_BYTES_MAX;
    return overBound ? null : tryTake(bytes);
  }

  /** Returns a buffer for completions, which have to go out; null if the loop has no room now. */
  @Nullable ByteBuf tryTake(int bytes) {
    ByteBuf taken = buffers.tryTake(bytes);
    if (taken == null) {
      awaitRoom();
    } else {
      heldBytes += taken.capacity();
    }
    return taken;
  }

  void give(ByteBuf buffer) {
    heldBytes -= buffer.capacity();
    buffers.give(buffer);
  }

  private void awaitRoom() {
    if (!waiting) {
      waiting = true;
      buffers.whenRoom(this::roomCame);
    }
  }

  private boolean roomCame() {
    waiting = false;
    if (!closed) {
      whenRoom.run();
    }
    return !closed;
  }

  /** Waits for no more room. */
  void close() {
    closed = true;
  }
}

package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.ArrayDeque;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The completions of a queue stream on their way to the client: what ended in one turn of the loop
 * leaves in few messages. Confined to its loop.
 *
 * <p>Frames and small payloads are copied together, so that what a client leaves unread is small; a
 * large payload goes out of the memory it was read into. Few messages are under way at a time, as
 * each costs more than its bytes; what comes meanwhile gathers.
 */
final class QueueOutput {
  private static final int MESSAGE_BYTES = 64 << 10;
  private static final int COPIED_BYTES_MAX = 16 << 10;
  private static final int MESSAGES_MAX = 8;

  private final Exchange exchange;
  private final HttpServerResponse response;
  private final QueueMemory memory;
  private final Runnable whenWritten;
  private final CRC32C crc = new CRC32C();
  private final ArrayDeque<ByteBuf> ready = new ArrayDeque<>();
  private @Nullable ByteBuf filling;
  private int messagesUnderWay;
  private long messagesEnded;
  private boolean ending;
  private boolean endSent;
  private boolean ended;
  private boolean abandoned;
  private byte[] lastFrame = new byte[0];

  /** {@code whenWritten} runs when a message has left. */
  QueueOutput(Exchange exchange, QueueMemory memory, Runnable whenWritten) {
    this.exchange = exchange;
    this.response = exchange.response();
    this.memory = memory;
    this.whenWritten = whenWritten;
  }

  /**
   * Takes a completion, and what is left of the command's memory is not needed any more.
   *
   * @param dueBytes how many bytes all completions have that wait, this one included
   * @return false if there is no memory now
   */
  boolean add(QueueCommand command, long dueBytes) {
    int payloadBytes = command.answerBytes();
    if (payloadBytes <= COPIED_BYTES_MAX) {
      ByteBuf out = room(QueueFrames.FRAME_BYTES + payloadBytes, dueBytes);
      if (out != null) {
        command.appendTo(out, crc);
        sent(payloadBytes);
        return true;
      }
    }
    if (payloadBytes == 0) {
      return false;
    }
    seal();
    ready.add(command.detach(crc));
    sent(payloadBytes);
    return true;
  }

  private void sent(int payloadBytes) {
    exchange.loop().plane().telemetry().sent(QueueFrames.FRAME_BYTES + payloadBytes);
  }

  private @Nullable ByteBuf room(int bytes, long dueBytes) {
    ByteBuf open = filling;
    if (open != null && open.writableBytes() >= bytes) {
      return open;
    }
    seal();
    // What has to wait anyway gets a buffer with room for more.
    long wanted = messagesUnderWay == 0 ? Math.min(MESSAGE_BYTES, dueBytes) : MESSAGE_BYTES;
    filling = memory.tryTake((int) Math.max(bytes, wanted));
    return filling;
  }

  private void seal() {
    ByteBuf full = filling;
    if (full != null) {
      ready.add(full);
      filling = null;
    }
  }

  /** Sends what there is, the head of the answer at least. */
  void flush() {
    while (messagesUnderWay < MESSAGES_MAX && hasMore()) {
      seal();
      ByteBuf next = ready.remove();
      boolean last = ending && lastFrame.length == 0 && ready.isEmpty();
      endSent |= last;
      messagesUnderWay++;
      Buffer wrapped = BufferInternal.buffer(next);
      (last ? response.end(wrapped) : response.write(wrapped))
          .onComplete(done -> written(next, last));
    }
    if (ending && !endSent && !hasMore()) {
      endSent = true;
      Future<Void> written =
          lastFrame.length == 0 ? response.end() : response.end(Buffer.buffer(lastFrame));
      written.onComplete(done -> endWritten());
    }
  }

  private boolean hasMore() {
    return filling != null || !ready.isEmpty();
  }

  private void written(ByteBuf message, boolean last) {
    messagesUnderWay--;
    messagesEnded++;
    memory.give(message);
    if (last) {
      ended = true;
    }
    whenWritten.run();
  }

  private void endWritten() {
    ended = true;
    whenWritten.run();
  }

  /** Ends the answer behind what there is; with a last frame, unless it is empty. */
  void end(byte[] frame) {
    ending = true;
    lastFrame = frame;
    flush();
  }

  /** Tells whether the answer is out to its end, or will never be. */
  boolean isEnded() {
    return ended || abandoned;
  }

  /** Tells whether bytes wait for the client to read. */
  boolean isUnsent() {
    return messagesUnderWay > 0 || hasMore() || (endSent && !ended);
  }

  /** Returns a number that changes when the client takes something. */
  long progress() {
    return exchange.outboundProgress() + messagesEnded;
  }

  /** Nobody reads any more. */
  void abandon() {
    abandoned = true;
    seal();
    for (ByteBuf unsent = ready.poll(); unsent != null; unsent = ready.poll()) {
      memory.give(unsent);
    }
  }
}

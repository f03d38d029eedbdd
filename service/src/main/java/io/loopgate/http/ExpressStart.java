package io.loopgate.http;

import io.loopgate.volume.Durability;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lets reads and writes of one connection onto the express way: only those that nothing speaks
 * against. What does is left to those who can say so. Confined to its loop.
 */
final class ExpressStart {
  /** Larger bodies are written while they arrive, piece by piece. */
  static final int WRITE_BYTES_MAX = 64 << 10;

  private final LoopState loop;
  private final ExpressAnswers answers;
  private @Nullable String lastId;
  private byte[] lastIdBytes = {};

  /** Creates it; {@code answers} is where the answers go. */
  ExpressStart(LoopState loop, ExpressAnswers answers) {
    this.loop = loop;
    this.answers = answers;
  }

  /** Returns a read that is ready to start, or null: then nothing has happened. */
  @Nullable ExpressRead read(ExpressChannel channel, RequestHead head) {
    Volume volume = volume(head);
    if (volume == null) {
      return null;
    }
    long sizeBytes = volume.sizeBytes();
    long end = Math.min(sizeBytes - 1, head.lastByte()) + 1;
    long length = end - head.firstByte();
    if (length <= 0 || length > RangeBody.CHUNK_BYTES) {
      return null;
    }
    IoWindow window = IoWindow.around(head.firstByte(), (int) length, volume.geometry());
    ByteBuf buffer = enter(volume, window, AnswerText.BYTES_MAX + window.allocationBytes());
    if (buffer == null) {
      return null;
    }
    ByteRange range = new ByteRange(head.firstByte(), end);
    return new ExpressRead(channel, answers, loop, volume, sizeBytes, range, window, buffer);
  }

  /** Returns a write that has begun and waits for its bytes, or null: then nothing has happened. */
  @Nullable ExpressWrite write(ExpressChannel channel, RequestHead head) {
    Volume volume = head.bodyBytes() <= WRITE_BYTES_MAX ? volume(head) : null;
    if (volume == null || !fits(volume, head) || volume.refusal() != 0) {
      return null;
    }
    long offset = head.firstByte();
    IoWindow window = IoWindow.around(offset, (int) head.bodyBytes(), volume.geometry());
    if (!window.isAligned() || WriteHandler.isMisaligned(volume, offset, head.bodyBytes())) {
      return null;
    }
    ByteBuf buffer = enter(volume, window, ExpressWrite.allocationBytes(head.headBytes(), window));
    if (buffer == null) {
      return null;
    }
    boolean durable =
        switch (head.flush()) {
          case YES -> true;
          case NO -> false;
          case UNSAID -> volume.durability() == Durability.DURABLE;
        };
    return new ExpressWrite(
        channel, answers, loop, volume, window, durable, head.headBytes(), buffer);
  }

  private static boolean fits(Volume volume, RequestHead head) {
    long sizeBytes = volume.sizeBytes();
    boolean saysSo = head.totalBytes() < 0 || head.totalBytes() == sizeBytes;
    return saysSo && head.lastByte() < sizeBytes;
  }

  private @Nullable Volume volume(RequestHead head) {
    if (loop.plane().draining().get() || !loop.io().hasRoom()) {
      return null;
    }
    return loop.plane().volumes().find(id(head)).orElse(null);
  }

  /** Enters the volume and returns a buffer, or null and has done neither. */
  private @Nullable ByteBuf enter(Volume volume, IoWindow window, int bytes) {
    if (volume.enter() != 0) {
      return null;
    }
    ByteBuf buffer = loop.buffers().tryTake(bytes);
    if (buffer != null && volume.quotaWaitSeconds(window.rangeBytes()) > 0) {
      loop.buffers().give(buffer);
      buffer = null;
    }
    if (buffer == null) {
      volume.leave();
    }
    return buffer;
  }

  /** Most requests of a connection are of one volume: its id need not become a text again. */
  private String id(RequestHead head) {
    String last = lastId;
    if (last != null && head.names(lastIdBytes)) {
      return last;
    }
    String id = head.id();
    lastId = id;
    lastIdBytes = id.getBytes(StandardCharsets.US_ASCII);
    return id;
  }
}

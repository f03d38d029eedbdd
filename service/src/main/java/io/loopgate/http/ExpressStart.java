package io.loopgate.http;

import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Lets reads of one connection onto the express way: only those that nothing speaks against. What
 * does is left to those who can say so. Confined to its loop.
 */
final class ExpressStart {
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
    Volume volume = loop.plane().volumes().find(id(head)).orElse(null);
    if (volume == null || loop.plane().draining().get() || !loop.io().hasRoom()) {
      return null;
    }
    long sizeBytes = volume.sizeBytes();
    long end = Math.min(sizeBytes - 1, head.lastByte()) + 1;
    long length = end - head.firstByte();
    if (length <= 0 || length > RangeBody.CHUNK_BYTES || volume.enter() != 0) {
      return null;
    }
    IoWindow window = IoWindow.around(head.firstByte(), (int) length, volume.geometry());
    ByteBuf buffer = buffer(volume, window);
    if (buffer == null) {
      volume.leave();
      return null;
    }
    ByteRange range = new ByteRange(head.firstByte(), end);
    return new ExpressRead(channel, answers, loop, volume, sizeBytes, range, window, buffer);
  }

  private @Nullable ByteBuf buffer(Volume volume, IoWindow window) {
    ByteBuf buffer = loop.buffers().tryTake(ReadHead.BYTES_MAX + window.allocationBytes());
    if (buffer != null && volume.quotaWaitSeconds(window.rangeBytes()) > 0) {
      loop.buffers().give(buffer);
      return null;
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

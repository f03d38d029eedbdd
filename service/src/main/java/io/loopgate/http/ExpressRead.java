package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/**
 * One small read on the express way, from its request to the last byte of its answer in the socket.
 * Confined to its loop.
 *
 * <p>Owns a place in the volume and a buffer of the budget until then.
 */
final class ExpressRead implements IoHandler, ChannelFutureListener {
  private static final int STATUS = 206;
  private static final int BROKEN_OFF = 0;

  private final ExpressChannel channel;
  private final ExpressAnswers answers;
  private final LoopState loop;
  private final Volume volume;
  private final long sizeBytes;
  private final ByteRange range;
  private final IoWindow window;
  private final ByteBuf buffer;
  private final String tag;
  private final long startNanos = System.nanoTime();

  ExpressRead(
      ExpressChannel channel,
      ExpressAnswers answers,
      LoopState loop,
      Volume volume,
      long sizeBytes,
      ByteRange range,
      IoWindow window,
      ByteBuf buffer) {
    this.channel = channel;
    this.answers = answers;
    this.loop = loop;
    this.volume = volume;
    this.sizeBytes = sizeBytes;
    this.range = range;
    this.window = window;
    this.buffer = buffer;
    // Before the read: what it sees may be newer than its tag, never older.
    this.tag = volume.tag(volume.sequenceForRead());
  }

  /** Reads; {@link #ended} may run from inside. */
  void start() {
    answers.begun();
    loop.plane().telemetry().requestStarted();
    volume.read(loop.io(), window, address(), BlockRequest.NO_DEADLINE, this);
  }

  private long address() {
    return window.alignedAddress(buffer.memoryAddress() + ReadHead.BYTES_MAX);
  }

  @Override
  public void ended(long result) {
    if (result == window.rangeBytes()) {
      channel.readEnded(this, answers);
    } else {
      channel.readFailed(this);
    }
  }

  /** Returns the whole answer; whoever writes it to a socket owns one count of it. */
  ByteBuf answer() {
    int skip = (int) (address() - buffer.memoryAddress()) + window.skipBytes();
    buffer.setIndex(skip, skip + window.rangeBytes());
    loop.readHead().put(buffer, loop.date(), tag, range, sizeBytes);
    loop.plane().telemetry().sent(window.rangeBytes());
    loop.plane().telemetry().expressRead();
    return buffer.retain();
  }

  /** Gives everything back, and has nothing to do with the request any more. */
  void abandon() {
    loop.buffers().give(buffer);
    volume.leave();
    loop.plane().telemetry().requestTakenBack();
    answers.abandoned();
  }

  /** The answer is in the socket, or never will be. */
  @Override
  public void operationComplete(ChannelFuture written) {
    loop.buffers().give(buffer);
    volume.leave();
    long nowNanos = System.nanoTime();
    loop.plane()
        .telemetry()
        .requestEnded(
            RequestKind.READ, written.isSuccess() ? STATUS : BROKEN_OFF, nowNanos - startNanos);
    answers.written(nowNanos);
  }
}

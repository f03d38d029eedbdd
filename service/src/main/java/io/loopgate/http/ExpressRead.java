package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;

/** A small read on the express way. Confined to its loop. */
final class ExpressRead extends ExpressRequest implements IoHandler {
  private static final int STATUS = 206;

  private final ExpressChannel channel;
  private final long sizeBytes;
  private final ByteRange range;
  private final IoWindow window;
  private final String tag;

  ExpressRead(
      ExpressChannel channel,
      ExpressAnswers answers,
      LoopState loop,
      Volume volume,
      long sizeBytes,
      ByteRange range,
      IoWindow window,
      ByteBuf buffer) {
    super(RequestKind.READ, STATUS, answers, loop, volume, buffer);
    this.channel = channel;
    this.sizeBytes = sizeBytes;
    this.range = range;
    this.window = window;
    // Before the read: what it sees may be newer than its tag, never older.
    this.tag = volume.tag(volume.sequenceForRead());
  }

  /** Reads; {@link #ended} may run from inside. */
  void start() {
    begun();
    volume().read(loop().io(), window, address(), BlockRequest.NO_DEADLINE, this);
  }

  private long address() {
    return window.alignedAddress(buffer().memoryAddress() + AnswerText.BYTES_MAX);
  }

  @Override
  public void ended(long result) {
    if (result == window.rangeBytes()) {
      channel.ended(this);
    } else {
      channel.failed(this);
    }
  }

  @Override
  void putAnswer() {
    int skip = (int) (address() - buffer().memoryAddress()) + window.skipBytes();
    buffer().setIndex(skip, skip + window.rangeBytes());
    loop().readHead().put(buffer(), loop().date(), tag, range, sizeBytes);
    loop().plane().telemetry().sent(window.rangeBytes());
  }
}

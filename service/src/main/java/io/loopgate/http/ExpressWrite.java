package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.IoHandler;
import io.loopgate.volume.IoWindow;
import io.loopgate.volume.Mutation;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A small write on the express way. Confined to its loop.
 *
 * <p>The whole request is gathered in one buffer of its size, the body where the kernel takes it
 * from and the head right before it, so that the request can still go to Vert.x: if its body stands
 * still, or if the write fails, since the answer has to say why. It is carried out a second time
 * then; nobody was told of the first, and the bytes are the same.
 */
final class ExpressWrite extends ExpressRequest
    implements IoHandler, Mutation.Finished, StallWatch.Transfer {
  private static final int STATUS = 200;

  private final ExpressChannel channel;
  private final IoWindow window;
  private final boolean durable;
  private final int bodyIndex;
  private @Nullable Mutation mutation;
  private long sequence;
  private boolean stable;

  ExpressWrite(
      ExpressChannel channel,
      ExpressAnswers answers,
      LoopState loop,
      Volume volume,
      IoWindow window,
      boolean durable,
      int headBytes,
      ByteBuf buffer) {
    super(RequestKind.WRITE, STATUS, answers, loop, volume, buffer);
    this.channel = channel;
    this.window = window;
    this.durable = durable;
    long address = window.alignedAddress(buffer.memoryAddress() + headBytes);
    this.bodyIndex = (int) (address - buffer.memoryAddress());
    buffer.setIndex(bodyIndex - headBytes, bodyIndex - headBytes);
    begun();
  }

  /** Returns how much memory such a request takes. */
  static int allocationBytes(int headBytes, IoWindow window) {
    return Math.max(AnswerText.BYTES_MAX, headBytes + window.allocationBytes());
  }

  /** Takes what there is of the request. */
  void gather(ByteBuf in) {
    buffer().writeBytes(in, Math.min(missingBytes(), in.readableBytes()));
  }

  /** Returns how much of the request has not arrived yet. */
  int missingBytes() {
    return bodyIndex + window.lengthBytes() - buffer().writerIndex();
  }

  /** Returns what there is of the request; the caller owns a count of it. */
  ByteBuf request() {
    return buffer().retainedSlice();
  }

  /** Writes; {@link ExpressChannel#ended} or {@link ExpressChannel#failed} may run from inside. */
  void start() {
    Mutation change = volume().beginMutation(loop().io(), BlockRequest.NO_DEADLINE);
    mutation = change;
    change.write(window, buffer().memoryAddress() + bodyIndex, this);
  }

  @Override
  public void ended(long result) {
    Mutation change = mutation;
    if (change == null) {
      throw new IllegalStateException("a write ended that nobody started");
    }
    if (result == window.rangeBytes()) {
      change.finish(durable, this);
    } else {
      change.abandon();
      channel.failed(this);
    }
  }

  @Override
  public void ended(long result, long sequenceAfter, boolean isDurable) {
    if (result < 0) {
      channel.failed(this);
    } else {
      sequence = sequenceAfter;
      stable = isDurable;
      channel.ended(this);
    }
  }

  @Override
  void putAnswer() {
    loop().plane().telemetry().received(window.rangeBytes());
    loop().writeHead().put(buffer(), loop().date(), volume().tag(sequence), sequence, stable);
  }

  @Override
  public long progress() {
    return buffer().writerIndex();
  }

  @Override
  public void cut() {
    channel.bodyStandsStill(this);
  }
}

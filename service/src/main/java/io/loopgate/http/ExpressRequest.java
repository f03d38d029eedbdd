package io.loopgate.http;

import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.Volume;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;

/**
 * One request on the express way, from its head to the last byte of its answer in the socket.
 * Confined to its loop.
 *
 * <p>Owns a place in the volume and a buffer of the budget until then.
 */
abstract sealed class ExpressRequest implements ChannelFutureListener
    permits ExpressRead, ExpressWrite {
  private static final int BROKEN_OFF = 0;

  private final RequestKind kind;
  private final int status;
  private final ExpressAnswers answers;
  private final LoopState loop;
  private final Volume volume;
  private final ByteBuf buffer;
  private final long startNanos = System.nanoTime();

  /** Takes over a place in the volume and a buffer; {@code status} is that of a good end. */
  ExpressRequest(
      RequestKind kind,
      int status,
      ExpressAnswers answers,
      LoopState loop,
      Volume volume,
      ByteBuf buffer) {
    this.kind = kind;
    this.status = status;
    this.answers = answers;
    this.loop = loop;
    this.volume = volume;
    this.buffer = buffer;
  }

  final ExpressAnswers answers() {
    return answers;
  }

  final LoopState loop() {
    return loop;
  }

  final Volume volume() {
    return volume;
  }

  final ByteBuf buffer() {
    return buffer;
  }

  /** Counts the request as begun. */
  final void begun() {
    loop.expressUnderWay(1);
    answers.begun();
    loop.plane().telemetry().requestStarted();
  }

  /** Puts the whole answer into the buffer, as its readable bytes. */
  abstract void putAnswer();

  /** Returns the whole answer; whoever writes it to a socket owns one count of it. */
  final ByteBuf answer() {
    putAnswer();
    loop.plane().telemetry().express(kind);
    return buffer.retain();
  }

  /** Gives everything back, and has nothing to do with the request any more. */
  final void abandon() {
    loop.expressUnderWay(-1);
    loop.buffers().give(buffer);
    volume.leave();
    loop.plane().telemetry().requestTakenBack();
    answers.abandoned();
  }

  /** The answer is in the socket, or never will be. */
  @Override
  public final void operationComplete(ChannelFuture written) {
    loop.expressUnderWay(-1);
    loop.buffers().give(buffer);
    volume.leave();
    long nowNanos = System.nanoTime();
    loop.plane()
        .telemetry()
        .requestEnded(kind, written.isSuccess() ? status : BROKEN_OFF, nowNanos - startNanos);
    answers.written(nowNanos);
  }
}

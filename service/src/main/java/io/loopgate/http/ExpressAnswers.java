package io.loopgate.http;

import io.netty.channel.ChannelHandlerContext;

/**
 * The answers of one connection that are on their way into its socket; those of one turn leave
 * together. Confined to its loop.
 */
final class ExpressAnswers implements StallWatch.Transfer {
  private final ChannelHandlerContext context;
  private final LoopState loop;
  private final ClientConnection connection;
  private boolean unflushed;
  private int unwritten;
  private boolean watched;

  ExpressAnswers(ChannelHandlerContext context, LoopState loop, ClientConnection connection) {
    this.context = context;
    this.loop = loop;
    this.connection = connection;
  }

  /** A request has begun that will have an answer here, or is abandoned. */
  void begun() {
    connection.requestStarted();
  }

  /** A request that had begun goes another way. */
  void abandoned() {
    connection.requestEnded(System.nanoTime());
  }

  /** Puts an answer behind the others. */
  void write(ExpressRequest request) {
    unwritten++;
    unflushed = true;
    var _ = context.write(request.answer(), context.newPromise().addListener(request));
  }

  /** Sends what was put there. */
  void flush() {
    if (!unflushed) {
      return;
    }
    unflushed = false;
    context.flush();
    if (unwritten > 0 && !watched) {
      watched = true;
      loop.stalls().watch(this, System.nanoTime());
    }
  }

  /** One is in the socket, or never will be. */
  void written(long nowNanos) {
    unwritten--;
    connection.requestEnded(nowNanos);
    if (unwritten == 0) {
      closed();
    }
  }

  /** There is nothing more to wait for. */
  void closed() {
    if (watched) {
      watched = false;
      loop.stalls().forget(this);
    }
  }

  @Override
  public long progress() {
    return Exchange.outboundProgress(context.channel()) + unwritten;
  }

  @Override
  public void cut() {
    watched = false;
    loop.plane().telemetry().stalledTransfer();
    var _ = context.close();
  }
}

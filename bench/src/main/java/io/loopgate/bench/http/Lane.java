package io.loopgate.bench.http;

import io.loopgate.bench.load.Offsets;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection and the commands that may be under way on it. Confined to its event loop. Opened
 * again when it breaks, which is an error of every command under way.
 */
@Sharable
abstract class Lane extends ChannelInboundHandlerAdapter {
  private final Home home;
  private final Offsets offsets;
  private final List<Exchange> exchanges = new ArrayList<>();
  private @Nullable ChannelHandlerContext context;
  private boolean reading;
  private boolean dirty;

  Lane(Home home, Offsets offsets, int depth, int bodyBytes) {
    this.home = home;
    this.offsets = offsets;
    for (int i = 0; i < depth; i++) {
      exchanges.add(new Exchange(this, i, bodyBytes));
    }
  }

  /** Returns what makes payloads, counts errors and knows the server. */
  final Home home() {
    return home;
  }

  /** Returns what decides where commands go. */
  final Offsets offsets() {
    return offsets;
  }

  final List<Exchange> exchanges() {
    return exchanges;
  }

  /** Puts what is needed on a new connection. */
  void initialize(ChannelPipeline pipeline) {
    pipeline.addLast(this);
  }

  /** Writes a command; {@link #flush} sends it. */
  abstract void write(ChannelHandlerContext to, Exchange exchange);

  /** What was written has to go out now. */
  void flush(ChannelHandlerContext to) {
    to.flush();
  }

  /** The connection is no more: what was written and not flushed is given up. */
  void gone() {}

  /** Bytes came. */
  abstract void read(ByteBuf in);

  /** The connection is open: commands may be written. */
  abstract void opened(ChannelHandlerContext to);

  /** Writes a command, and sends it before the loop does anything else. */
  final void send(Exchange exchange) {
    ChannelHandlerContext to = context;
    if (to == null) {
      throw new IllegalStateException("no connection to send on");
    }
    exchange.inFlight = true;
    exchange.received = 0;
    exchange.sentNanos = System.nanoTime();
    write(to, exchange);
    if (!dirty) {
      dirty = true;
      home.dirty(this);
    }
  }

  /** Sends what was written, unless bytes are being read: then it goes out after them. */
  final void flushIfIdle() {
    if (!reading) {
      flushNow();
    }
  }

  private void flushNow() {
    ChannelHandlerContext to = context;
    if (dirty && to != null) {
      dirty = false;
      flush(to);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext to) {
    context = to;
    home.opened(this);
    opened(to);
  }

  /** Tells that commands may be written from now on. */
  final void ready() {
    exchanges.forEach(home::idle);
    home.pump();
  }

  @Override
  public void channelRead(ChannelHandlerContext to, Object message) {
    reading = true;
    ByteBuf in = (ByteBuf) message;
    try {
      read(in);
    } finally {
      in.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext to) {
    reading = false;
    home.pump();
    flushNow();
  }

  @Override
  public void channelInactive(ChannelHandlerContext to) {
    if (to.equals(context)) {
      broken("the connection ended");
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext to, Throwable cause) {
    Throwable reason =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    String text = reason.getMessage();
    if (to.equals(context)) {
      broken(text == null ? reason.toString() : text);
    }
    var _ = to.close();
  }

  /** Gives up the connection. */
  final void breakOff(String reason) {
    ChannelHandlerContext to = context;
    broken(reason);
    if (to != null) {
      var _ = to.close();
    }
  }

  private void broken(String reason) {
    if (context == null) {
      return;
    }
    context = null;
    reading = false;
    dirty = false;
    gone();
    home.broken(this, reason);
  }

  /** Closes without an error: the server said that it will. */
  final void reopen() {
    ChannelHandlerContext to = context;
    context = null;
    dirty = false;
    gone();
    if (to != null) {
      var _ = to.close();
    }
    home.reopen(this);
  }

  /** Closes for good. */
  final void close() {
    ChannelHandlerContext to = context;
    context = null;
    gone();
    if (to != null) {
      var _ = to.close();
    }
  }
}

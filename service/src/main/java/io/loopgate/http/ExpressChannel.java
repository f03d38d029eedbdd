package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The first to see the bytes of a connection, from its first one on: answers plain small reads and
 * writes by itself and hands all else to Vert.x, byte for byte and in order. Confined to its loop.
 *
 * <p>Such a request costs as much in an HTTP library as in the kernel, and most requests are such.
 * What Vert.x gets are whole requests whose end is certain ({@link RequestHead}); once a connection
 * sends anything else, all that follows is for Vert.x. So is a request while Vert.x has answers to
 * give, and one that fails or finds no room: its answer has to say why. Vert.x never sees a request
 * that was answered here.
 *
 * <p>At most one request is under way; what arrives meanwhile waits, and so does what arrives while
 * the client does not take its answers.
 */
final class ExpressChannel extends ChannelInboundHandlerAdapter {
  private final ExpressRegistry registry;
  private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
  private @Nullable ByteBuf partial;
  private long bodyBytes;
  private boolean express;
  private boolean consuming;
  private boolean stopped;
  private @Nullable Way way;
  private @Nullable ExpressWrite gathering;
  private @Nullable ExpressRequest underWay;
  private @Nullable ByteBuf readRequest;
  private boolean readFailed;

  /** What it takes to answer; there is none on another port. */
  private record Way(
      ChannelHandlerContext context,
      LoopState loop,
      ClientConnection connection,
      ExpressStart start,
      ExpressAnswers answers) {}

  ExpressChannel(ExpressRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    LoopState loop = registry.find(context.channel().eventLoop());
    context.fireChannelActive();
    if (loop != null) {
      ClientConnection connection = ClientConnection.opened(loop, context.channel());
      ExpressAnswers answers = new ExpressAnswers(context, loop, connection);
      way = new Way(context, loop, connection, new ExpressStart(loop, answers), answers);
      express = true;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    express = false;
    held.forEach(ByteBuf::release);
    held.clear();
    releasePartial();
    ExpressWrite begun = gathering;
    if (begun != null) {
      stopGathering(begun);
      begun.abandon();
    }
    Way known = way;
    if (known != null) {
      known.answers().closed();
      known.connection().closed();
    }
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!express || !(message instanceof ByteBuf in)) {
      context.fireChannelRead(message);
    } else if (mustWait(context) || !held.isEmpty()) {
      held.add(in);
      stopReading(context);
    } else {
      consume(context, in);
    }
  }

  private boolean mustWait(ChannelHandlerContext context) {
    return underWay != null || !context.channel().isWritable();
  }

  /** Vert.x stops and resumes reading as well, and looks only at what it did itself. */
  private void stopReading(ChannelHandlerContext context) {
    ChannelConfig config = context.channel().config();
    if (config.isAutoRead()) {
      stopped = true;
      config.setAutoRead(false);
    }
  }

  private void resumeReading(ChannelHandlerContext context) {
    if (stopped) {
      stopped = false;
      context.channel().config().setAutoRead(true);
    }
  }

  private void releasePartial() {
    ByteBuf known = partial;
    partial = null;
    if (known != null) {
      known.release();
    }
  }

  /** Returns the bytes with those before them that were not a whole head; owns both. */
  private ByteBuf behindPartial(ChannelHandlerContext context, ByteBuf arrived) {
    ByteBuf known = partial;
    if (known == null) {
      return arrived;
    }
    ByteBuf all = context.alloc().directBuffer(known.readableBytes() + arrived.readableBytes());
    all.writeBytes(known).writeBytes(arrived);
    releasePartial();
    arrived.release();
    return all;
  }

  /** Deals with one request after the other; owns the buffer. */
  private void consume(ChannelHandlerContext context, ByteBuf arrived) {
    ByteBuf in = behindPartial(context, arrived);
    consuming = true;
    try {
      while (in.isReadable()) {
        Way open = way;
        if (!express || open == null) {
          pass(context, in, in.readableBytes());
        } else if (gathering != null) {
          gather(gathering, in);
        } else if (bodyBytes > 0) {
          int part = (int) Math.min(bodyBytes, in.readableBytes());
          bodyBytes -= part;
          pass(context, in, part);
        } else if (mustWait(context)) {
          held.addFirst(in.retain());
          stopReading(context);
          return;
        } else {
          next(open, in);
        }
      }
    } finally {
      in.release();
      consuming = false;
    }
  }

  private static void pass(ChannelHandlerContext context, ByteBuf in, int bytes) {
    context.fireChannelRead(in.readRetainedSlice(bytes));
  }

  private void next(Way open, ByteBuf in) {
    RequestHead head = open.loop().requestHead();
    switch (head.parse(in)) {
      case FOREIGN -> express = false;
      case PARTIAL -> {
        // A copy: what it arrived in is much larger, and who drips may take long.
        int bytes = in.readableBytes();
        partial = open.context().alloc().directBuffer(bytes, bytes).writeBytes(in);
      }
      case FRAMED -> handOver(open, head.requestBytes());
      case READ -> {
        if (open.connection().isOwedAnAnswer() || !read(open, head, in)) {
          handOver(open, head.requestBytes());
        }
      }
      case WRITE -> {
        ExpressWrite write =
            open.connection().isOwedAnAnswer() ? null : open.start().write(this, head);
        if (write == null) {
          handOver(open, head.requestBytes());
        } else {
          gathering = write;
          gather(write, in);
        }
      }
    }
  }

  private void handOver(Way open, long requestBytes) {
    open.connection().handedOver();
    bodyBytes = requestBytes;
  }

  /** Serves a read, or begins to; returns false if it is one for Vert.x. */
  private boolean read(Way open, RequestHead head, ByteBuf in) {
    ExpressRead read = open.start().read(this, head);
    if (read == null) {
      return false;
    }
    int requestBytes = head.headBytes();
    underWay = read;
    readFailed = false;
    read.start();
    if (readFailed) {
      return false;
    }
    if (underWay == null) {
      in.skipBytes(requestBytes);
    } else {
      readRequest = in.readRetainedSlice(requestBytes);
    }
    return true;
  }

  /** Takes what there is of a write, and starts it once that is all. */
  private void gather(ExpressWrite write, ByteBuf in) {
    write.gather(in);
    if (write.missingBytes() == 0) {
      stopGathering(write);
      underWay = write;
      write.start();
    } else {
      write.loop().bodies().watch(write, System.nanoTime());
    }
  }

  private void stopGathering(ExpressWrite write) {
    gathering = null;
    write.loop().bodies().forget(write);
  }

  /** Whoever sends nothing more of a body hears so from Vert.x. */
  void bodyStandsStill(ExpressWrite write) {
    stopGathering(write);
    ByteBuf request = write.request();
    bodyBytes = write.missingBytes();
    write.abandon();
    handOn(request);
  }

  /** What was asked for is done. */
  void ended(ExpressRequest request) {
    underWay = null;
    ByteBuf head = readRequest;
    readRequest = null;
    if (head != null) {
      head.release();
    }
    request.answers().write(request);
    if (!consuming) {
      // It began in a turn that is over.
      request.answers().flush();
      goOn();
    }
  }

  /** It failed: the answer that says why comes from Vert.x. */
  void failed(ExpressRead read) {
    underWay = null;
    read.abandon();
    ByteBuf request = readRequest;
    readRequest = null;
    if (request == null) {
      readFailed = true;
    } else {
      handOn(request);
    }
  }

  /** As for a read; Vert.x writes once more. */
  void failed(ExpressWrite write) {
    underWay = null;
    ByteBuf request = write.request();
    write.abandon();
    handOn(request);
  }

  /** Hands a request to Vert.x that has left its place in the row; owns it. */
  private void handOn(ByteBuf request) {
    Way open = way;
    if (open == null || !express) {
      // The connection is closed.
      request.release();
      return;
    }
    open.connection().handedOver();
    open.context().fireChannelRead(request);
    if (!consuming) {
      open.context().fireChannelReadComplete();
      goOn();
    }
  }

  /** Deals with what had to wait. */
  private void goOn() {
    Way open = way;
    if (open == null || consuming || held.isEmpty() || mustWait(open.context())) {
      return;
    }
    // First: what Vert.x gets now may make it stop reading, and nobody else may resume that.
    resumeReading(open.context());
    while (!held.isEmpty() && !(express && mustWait(open.context()))) {
      consume(open.context(), held.remove());
    }
    open.context().fireChannelReadComplete();
    open.answers().flush();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Way open = way;
    if (open != null) {
      open.answers().flush();
    }
    context.fireChannelReadComplete();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    context.fireChannelWritabilityChanged();
    if (context.channel().isWritable()) {
      goOn();
    }
  }
}

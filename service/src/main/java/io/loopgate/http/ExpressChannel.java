package io.loopgate.http;

import io.loopgate.block.BlockRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The first to see the bytes of a connection, from its first one on: answers plain small reads by
 * itself and hands all else to Vert.x, byte for byte and in order. Confined to its loop.
 *
 * <p>Such a read costs as much in an HTTP library as in the kernel, and most requests are such
 * reads. What Vert.x gets are whole requests whose end is certain ({@link RequestHead}); once a
 * connection sends anything else, all that follows is for Vert.x. So is a read while Vert.x has
 * answers to give, and one that fails or finds no room: its answer has to say why. Vert.x never
 * sees a request that was answered here.
 *
 * <p>At most one read is under way; what arrives meanwhile waits, and so does what arrives while
 * the client does not take its answers.
 */
final class ExpressChannel extends ChannelInboundHandlerAdapter {
  private final ExpressRegistry registry;
  private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
  private @Nullable Way way;
  private boolean consuming;
  private @Nullable ByteBuf partial;

  /** What it takes to answer; there is none where all is for Vert.x. */
  private record Way(
      ChannelHandlerContext context,
      LoopState loop,
      ClientConnection connection,
      ExpressStart start,
      ExpressAnswers answers) {
    boolean isWritable() {
      return context.channel().isWritable();
    }
  }

  private @Nullable ClientConnection connection;
  private @Nullable ExpressAnswers answers;
  private long bodyBytes;
  private @Nullable ExpressRead reading;
  private @Nullable ByteBuf readingRequest;
  private boolean readFailed;

  ExpressChannel(ExpressRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    LoopState loop = registry.find(context.channel().eventLoop());
    context.fireChannelActive();
    if (loop != null) {
      ClientConnection opened = ClientConnection.opened(loop, context.channel());
      ExpressAnswers out = new ExpressAnswers(context, loop, opened);
      connection = opened;
      answers = out;
      way = new Way(context, loop, opened, new ExpressStart(loop), out);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    way = null;
    held.forEach(ByteBuf::release);
    held.clear();
    releasePartial();
    if (answers != null) {
      answers.closed();
    }
    if (connection != null) {
      connection.closed();
    }
    context.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Way open = way;
    if (open == null || !(message instanceof ByteBuf in)) {
      context.fireChannelRead(message);
    } else if (mustWait(open) || !held.isEmpty()) {
      held.add(in);
      context.channel().config().setAutoRead(false);
    } else {
      consume(context, in);
    }
  }

  private boolean mustWait(Way open) {
    return reading != null || !open.isWritable();
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
        if (open == null) {
          pass(context, in, in.readableBytes());
        } else if (bodyBytes > 0) {
          int part = (int) Math.min(bodyBytes, in.readableBytes());
          bodyBytes -= part;
          pass(context, in, part);
        } else if (mustWait(open)) {
          held.addFirst(in.retain());
          context.channel().config().setAutoRead(false);
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
      case FOREIGN -> way = null;
      case PARTIAL -> partial = in.readRetainedSlice(in.readableBytes());
      case FRAMED -> handOver(open, head.requestBytes());
      case READ -> {
        if (open.connection().isOwedAnAnswer() || !read(open, head, in)) {
          handOver(open, head.requestBytes());
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
    reading = read;
    readFailed = false;
    open.connection().requestStarted();
    read.start(BlockRequest.NO_DEADLINE);
    if (readFailed) {
      return false;
    }
    if (reading == null) {
      in.skipBytes(requestBytes);
    } else {
      readingRequest = in.readRetainedSlice(requestBytes);
    }
    return true;
  }

  /** The bytes of the read under way are there. */
  void readEnded(ExpressRead read) {
    ExpressAnswers out = answers;
    if (out == null) {
      throw new IllegalStateException("a read on a connection that was never open");
    }
    reading = null;
    out.write(read);
    ByteBuf request = readingRequest;
    if (request != null) {
      // It began in a turn that is over.
      readingRequest = null;
      request.release();
      out.flush();
      goOn();
    }
  }

  /** It failed: the answer that says why comes from Vert.x. */
  void readFailed(ExpressRead read) {
    reading = null;
    read.abandon();
    if (connection != null) {
      connection.requestEnded(System.nanoTime());
    }
    ByteBuf request = readingRequest;
    readingRequest = null;
    if (request == null) {
      readFailed = true;
      return;
    }
    Way open = way;
    if (open == null) {
      request.release();
      return;
    }
    open.connection().handedOver();
    open.context().fireChannelRead(request);
    open.context().fireChannelReadComplete();
    goOn();
  }

  /** Deals with what had to wait. */
  private void goOn() {
    Way open = way;
    if (open == null || consuming || held.isEmpty()) {
      return;
    }
    while (!held.isEmpty() && (way == null || !mustWait(open))) {
      consume(open.context(), held.remove());
    }
    if (held.isEmpty()) {
      open.context().channel().config().setAutoRead(true);
    }
    open.context().fireChannelReadComplete();
    open.answers().flush();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (answers != null) {
      answers.flush();
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

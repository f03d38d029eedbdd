package io.loopgate.bench.http;

import io.loopgate.bench.load.Offsets;
import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A queue: one endless request of HTTP/1.1 with commands, and its endless answer with completions.
 * Commands that are written between two flushes go out as one chunk.
 */
final class QueueLane extends Lane implements ResponseParser.Sink, QueueFrames.Sink {
  private static final int STATUS_OK = 200;

  /** Of the size of a chunk, which is put in its place when it is known: so zeroes lead. */
  private static final int SIZE_DIGITS = 8;

  private static final int LINE_END = '\r' << 8 | '\n';
  private static final int BATCH_BYTES = 16 << 10;

  private final byte[] head;
  private final boolean durable;
  private ResponseParser parser = new ResponseParser(this);
  private QueueFrames frames = new QueueFrames(this);
  private @Nullable ByteBuf batch;
  private @Nullable Exchange completing;
  private int status;

  QueueLane(Home home, Offsets offsets, int depth, int bodyBytes) {
    super(home, offsets, depth, bodyBytes);
    Endpoint to = home.endpoint();
    durable = home.wire().durable();
    head =
        ("POST "
                + to.requireQueue()
                + Endpoint.flush(durable)
                + " HTTP/1.1\r\nHost: "
                + to.authority()
                + "\r\nContent-Type: "
                + QueueFrames.TYPE
                + "\r\nTransfer-Encoding: chunked\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void opened(ChannelHandlerContext to) {
    parser = new ResponseParser(this);
    frames = new QueueFrames(this);
    completing = null;
    var _ = to.write(to.alloc().directBuffer(head.length).writeBytes(head), to.voidPromise());
    ready();
  }

  @Override
  void write(ChannelHandlerContext to, Exchange exchange) {
    ByteBuf out = batch;
    if (out == null) {
      out = to.alloc().directBuffer(BATCH_BYTES).writeZero(SIZE_DIGITS).writeShort(LINE_END);
      batch = out;
    }
    QueueFrames.append(out, exchange, durable);
    if (exchange.op != BlockOp.READ) {
      home().payloads().append(out, exchange);
    }
  }

  @Override
  void flush(ChannelHandlerContext to) {
    ByteBuf out = batch;
    batch = null;
    if (out != null) {
      int bytes = out.readableBytes() - SIZE_DIGITS - Short.BYTES;
      String size = HexFormat.of().toHexDigits(bytes);
      out.setCharSequence(out.readerIndex(), size, StandardCharsets.US_ASCII);
      out.writeShort(LINE_END);
      var _ = to.write(out, to.voidPromise());
    }
    to.flush();
  }

  @Override
  void gone() {
    ByteBuf out = batch;
    batch = null;
    if (out != null) {
      out.release();
    }
  }

  @Override
  void read(ByteBuf in) {
    parser.read(in);
  }

  @Override
  public void head(int answered) {
    if (answered != STATUS_OK) {
      throw new ResponseParser.MalformedException("the queue answered " + answered);
    }
  }

  @Override
  public void body(ByteBuf in, int length) {
    frames.read(in, length);
  }

  @Override
  public void end(boolean keepAlive) {
    throw new ResponseParser.MalformedException("the queue ended");
  }

  @Override
  public void begin(long tag, int answered) {
    if (tag == QueueFrames.END_TAG) {
      throw new ResponseParser.MalformedException("the queue gave up with status " + answered);
    }
    if (tag < 0 || tag >= exchanges().size() || !exchanges().get((int) tag).inFlight) {
      throw new ResponseParser.MalformedException("a completion of a tag that is not under way");
    }
    completing = exchanges().get((int) tag);
    status = answered;
  }

  @Override
  public void payload(ByteBuf in, int length) {
    requireCompleting().receive(in, length);
  }

  @Override
  public void end() {
    Exchange exchange = requireCompleting();
    completing = null;
    home().completed(exchange, status, Exchange.QUEUE_SUCCESS);
  }

  private Exchange requireCompleting() {
    Exchange exchange = completing;
    if (exchange == null) {
      throw new IllegalStateException("no completion has begun");
    }
    return exchange;
  }
}

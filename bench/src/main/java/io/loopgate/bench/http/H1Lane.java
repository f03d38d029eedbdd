package io.loopgate.bench.http;

import io.loopgate.bench.load.Offsets;
import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;

/** A connection of HTTP/1.1 with one request at a time, its bytes put together by hand. */
final class H1Lane extends Lane implements ResponseParser.Sink {
  private static final int STATUS_OK = 200;
  private static final int STATUS_PARTIAL = 206;
  private static final int HEAD_BYTES_MAX = 512;
  private static final byte[] RANGE = bytes("Range: bytes=");
  private static final byte[] CONTENT_LENGTH = bytes("Content-Length: ");
  private static final byte[] CONTENT_RANGE = bytes("\r\nContent-Range: bytes ");
  private static final byte[] ANY_SIZE = bytes("/*");
  private static final byte[] END = bytes("\r\n\r\n");
  private static final byte[] LINE_END = bytes("\r\n");

  private final byte[] get;
  private final byte[] put;
  private final Exchange exchange;
  private ResponseParser parser = new ResponseParser(this);
  private int status;

  H1Lane(Home home, Offsets offsets, int bodyBytes) {
    super(home, offsets, 1, bodyBytes);
    Endpoint to = home.endpoint();
    String host = " HTTP/1.1\r\nHost: " + to.authority() + "\r\n";
    get = bytes("GET " + to.path() + host);
    put = bytes("PUT " + to.writeTarget(home.wire().durable()) + host);
    exchange = exchanges().getFirst();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void opened(ChannelHandlerContext to) {
    parser = new ResponseParser(this);
    ready();
  }

  @Override
  void write(ChannelHandlerContext to, Exchange next) {
    boolean reads = next.op == BlockOp.READ;
    int payload = reads ? 0 : (int) next.lengthBytes;
    ByteBuf out = to.alloc().directBuffer(HEAD_BYTES_MAX + get.length + payload);
    if (reads) {
      out.writeBytes(get);
      if (!home().wire().whole()) {
        out.writeBytes(RANGE);
        range(out, next);
        out.writeBytes(LINE_END);
      }
      out.writeBytes(LINE_END);
    } else {
      out.writeBytes(put).writeBytes(CONTENT_LENGTH);
      Digits.append(out, payload);
      out.writeBytes(CONTENT_RANGE);
      range(out, next);
      out.writeBytes(ANY_SIZE).writeBytes(END);
      home().payloads().append(out, next);
    }
    var _ = to.write(out, to.voidPromise());
  }

  private static void range(ByteBuf out, Exchange of) {
    Digits.append(out, of.offsetBytes);
    out.writeByte('-');
    Digits.append(out, of.offsetBytes + of.lengthBytes - 1);
  }

  @Override
  void read(ByteBuf in) {
    parser.read(in);
  }

  @Override
  public void head(int answered) {
    if (!exchange.inFlight) {
      throw new ResponseParser.MalformedException("an answer that nobody asked for");
    }
    status = answered;
  }

  @Override
  public void body(ByteBuf in, int length) {
    exchange.receive(in, length);
  }

  @Override
  public void end(boolean keepAlive) {
    boolean ranged = exchange.op == BlockOp.READ && !home().wire().whole();
    home().completed(exchange, status, ranged ? STATUS_PARTIAL : STATUS_OK);
    if (!keepAlive) {
      reopen();
    }
  }
}

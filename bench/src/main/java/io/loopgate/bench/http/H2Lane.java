package io.loopgate.bench.http;

import io.loopgate.bench.load.Offsets;
import io.loopgate.block.BlockOp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/2 without TLS and without an upgrade, a stream for each request. Netty's
 * handler of connections is used as it is: its frame codec on top would make an object of every
 * frame.
 */
final class H2Lane extends Lane {
  private static final int STATUS_OK = 200;
  private static final int STATUS_PARTIAL = 206;
  private static final int STREAM_WINDOW_BYTES = 4 << 20;
  private static final int CONNECTION_WINDOW_BYTES = 256 << 20;
  private static final AsciiString RANGE = AsciiString.cached("range");
  private static final AsciiString CONTENT_RANGE = AsciiString.cached("content-range");
  private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
  private static final AsciiString GET = AsciiString.cached("GET");
  private static final AsciiString PUT = AsciiString.cached("PUT");
  private static final AsciiString HTTP = AsciiString.cached("http");

  private final AsciiString authority;
  private final AsciiString readPath;
  private final AsciiString writePath;
  private final IntObjectMap<Exchange> streams = new IntObjectHashMap<>();
  private final int[] statuses;
  private @Nullable Http2ConnectionHandler handler;
  private @Nullable ChannelHandlerContext below;
  private boolean ready;

  H2Lane(Home home, Offsets offsets, int depth, int bodyBytes) {
    super(home, offsets, depth, bodyBytes);
    Endpoint to = home.endpoint();
    authority = new AsciiString(to.authority());
    readPath = new AsciiString(to.path());
    writePath = new AsciiString(to.writeTarget(home.wire().durable()));
    statuses = new int[depth];
  }

  @Override
  void initialize(ChannelPipeline pipeline) {
    Http2ConnectionHandler next =
        new Http2ConnectionHandlerBuilder()
            .server(false)
            .initialSettings(
                Http2Settings.defaultSettings()
                    .pushEnabled(false)
                    .initialWindowSize(STREAM_WINDOW_BYTES))
            .encoderEnforceMaxConcurrentStreams(true)
            // Each is another: in the table of the compression they would only displace the rest.
            .headerSensitivityDetector(
                (name, value) -> RANGE.contentEquals(name) || CONTENT_RANGE.contentEquals(name))
            .frameListener(new Frames())
            .gracefulShutdownTimeoutMillis(0)
            .build();
    handler = next;
    ready = false;
    streams.clear();
    pipeline.addLast(next, this);
    below = pipeline.context(next);
  }

  /** Returns from where frames go down to the socket: below the handler of frames. */
  private ChannelHandlerContext below(ChannelHandlerContext lane) {
    ChannelHandlerContext current = below;
    return current == null ? lane : current;
  }

  private Http2ConnectionHandler handler() {
    Http2ConnectionHandler current = handler;
    if (current == null) {
      throw new IllegalStateException("no connection");
    }
    return current;
  }

  /** Commands wait for the server's settings. */
  @Override
  void opened(ChannelHandlerContext to) {}

  @Override
  void write(ChannelHandlerContext lane, Exchange exchange) {
    ChannelHandlerContext to = below(lane);
    Http2ConnectionHandler current = handler();
    int id = current.connection().local().incrementAndGetNextStreamId();
    boolean reads = exchange.op == BlockOp.READ;
    String range = exchange.offsetBytes + "-" + (exchange.offsetBytes + exchange.lengthBytes - 1);
    Http2Headers headers =
        new DefaultHttp2Headers(false)
            .method(reads ? GET : PUT)
            .scheme(HTTP)
            .authority(authority)
            .path(reads ? readPath : writePath);
    if (!reads) {
      headers.add(CONTENT_RANGE, new AsciiString("bytes " + range + "/*"));
      headers.add(CONTENT_LENGTH, new AsciiString(Long.toString(exchange.lengthBytes)));
    } else if (!home().wire().whole()) {
      headers.add(RANGE, new AsciiString("bytes=" + range));
    }
    streams.put(id, exchange);
    statuses[exchange.index] = 0;
    var _ = current.encoder().writeHeaders(to, id, headers, 0, reads, to.newPromise());
    if (!reads) {
      ByteBuf payload = to.alloc().directBuffer((int) exchange.lengthBytes);
      home().payloads().append(payload, exchange);
      var _ = current.encoder().writeData(to, id, payload, 0, true, to.newPromise());
    }
  }

  @Override
  void flush(ChannelHandlerContext to) {
    to.flush();
  }

  /** What is read goes to the frames below. */
  @Override
  void read(ByteBuf in) {}

  private void settled() {
    if (ready) {
      return;
    }
    ready = true;
    Http2ConnectionHandler current = handler();
    try {
      current
          .connection()
          .local()
          .flowController()
          .incrementWindowSize(current.connection().connectionStream(), CONNECTION_WINDOW_BYTES);
    } catch (Http2Exception e) {
      breakOff(String.valueOf(e.getMessage()));
      return;
    }
    ready();
  }

  private void ended(int stream) {
    Exchange exchange = streams.remove(stream);
    if (exchange != null) {
      boolean ranged = exchange.op == BlockOp.READ && !home().wire().whole();
      home().completed(exchange, statuses[exchange.index], ranged ? STATUS_PARTIAL : STATUS_OK);
    }
  }

  /** What comes, frame by frame. */
  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onSettingsRead(ChannelHandlerContext to, Http2Settings settings) {
      settled();
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext to, int stream, Http2Headers headers, int padding, boolean last) {
      Exchange exchange = streams.get(stream);
      if (exchange != null) {
        statuses[exchange.index] = Integer.parseInt(headers.status().toString());
        if (last) {
          ended(stream);
        }
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext to,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      onHeadersRead(to, stream, headers, padding, last);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext to, int stream, ByteBuf data, int padding, boolean last) {
      int consumed = data.readableBytes() + padding;
      Exchange exchange = streams.get(stream);
      if (exchange != null) {
        exchange.receive(data, data.readableBytes());
      }
      if (last) {
        ended(stream);
      }
      return consumed;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext to, int stream, long errorCode) {
      Exchange exchange = streams.remove(stream);
      if (exchange != null) {
        home().failed(exchange, "the stream was reset with code " + errorCode);
      }
    }
  }
}

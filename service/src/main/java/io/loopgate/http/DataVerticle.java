package io.loopgate.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the data port on one event loop; deployed once per loop, and all share the port.
 *
 * <p>Two phases: deployed, it only knows its loop, which engines need before volumes can be opened;
 * {@link #listen} opens the port.
 */
public final class DataVerticle extends VerticleBase {
  /** Names the one free port that all loops of this server share when any would do. */
  private static final int SHARED_PORT_ID = 1;

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int STREAM_WINDOW_BYTES = 1 << 20;
  private static final int CONNECTION_WINDOW_BYTES = 16 << 20;
  private static final int STREAMS_MAX = 256;
  private static final long SWEEP_MILLIS = 500;
  private static final long DRAIN_MILLIS = 200;
  private static final long LOOK_MILLIS = 5;

  private final AtomicInteger loopNumbers;
  private volatile VertxLoop loop;
  private HttpServer server;
  private LoopState state;

  /** Creates a verticle that takes the next number as its loop's. */
  @SuppressWarnings("NullAway.Init") // start() sets both, before anything else can run.
  public DataVerticle(AtomicInteger loopNumbers) {
    this.loopNumbers = loopNumbers;
  }

  @Override
  public Future<?> start() {
    loop =
        new VertxLoop(loopNumbers.getAndIncrement(), ((ContextInternal) context).nettyEventLoop());
    return Future.succeededFuture();
  }

  /** Returns the event loop; once deployed. */
  public VertxLoop loop() {
    return loop;
  }

  /** Returns the context whose loop it is. */
  public Context context() {
    return context;
  }

  /** Opens the port; the future tells which one. */
  public Future<Integer> listen(DataPlane plane) {
    Promise<Integer> port = Promise.promise();
    context.runOnContext(
        go -> {
          try {
            listenHere(plane).onComplete(port);
          } catch (RuntimeException e) {
            port.fail(e);
          }
        });
    return port.future();
  }

  private Future<Integer> listenHere(DataPlane plane) {
    state = new LoopState(plane, loop);
    LoopTouch.run(state.buffers());
    plane.express().add(((ContextInternal) context).nettyEventLoop(), state);
    server =
        vertx
            .createHttpServer(options(plane.options()))
            .connectionHandler(DataVerticle::connected)
            .requestHandler(new Dispatcher(state))
            .invalidRequestHandler(new InvalidRequests(plane.telemetry()));
    vertx.setPeriodic(SWEEP_MILLIS, timer -> sweep(state));
    vertx.setPeriodic(DRAIN_MILLIS, timer -> drain(state));
    return server.listen(address(plane.options())).map(HttpServer::actualPort);
  }

  private static SocketAddress address(DataPlaneOptions options) {
    return options.port() == 0
        ? SocketAddress.sharedRandomPort(SHARED_PORT_ID, options.host())
        : SocketAddress.inetSocketAddress(options.port(), options.host());
  }

  private static HttpServerOptions options(DataPlaneOptions options) {
    return new HttpServerOptions()
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true)
        .setReuseAddress(true)
        .setAcceptBacklog(4096)
        .setMaxChunkSize(CHUNK_BYTES)
        .setMaxHeaderSize(options.maxHeaderBytes())
        .setMaxInitialLineLength(options.maxHeaderBytes())
        .setHandle100ContinueAutomatically(false)
        .setCompressionSupported(false)
        .setDecompressionSupported(false)
        .setHttp2ClearTextEnabled(true)
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
        .setInitialSettings(
            new Http2Settings()
                .setInitialWindowSize(STREAM_WINDOW_BYTES)
                .setMaxConcurrentStreams(STREAMS_MAX)
                .setMaxHeaderListSize(options.maxHeaderBytes()));
  }

  private static void connected(HttpConnection connection) {
    ClientConnection.of(connection).ifPresent(client -> client.known(connection));
  }

  private static void sweep(LoopState state) {
    long now = System.nanoTime();
    state.stalls().sweep(now);
    state.bodies().sweep(now);
    state.connections().sweep(now);
  }

  private static void drain(LoopState state) {
    if (state.plane().draining().get()) {
      state.streams().drain();
    }
  }

  /** Lets requests in flight end, then closes the port and its connections. */
  public Future<Void> shutdown(Duration timeout) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    Promise<Void> closed = Promise.promise();
    context.runOnContext(go -> shutdownOnceAnswered(deadlineNanos, closed));
    return closed.future();
  }

  /** Vert.x takes a connection for idle whose request it never saw: it must not close it yet. */
  private void shutdownOnceAnswered(long deadlineNanos, Promise<Void> closed) {
    long leftMillis = Math.max(0, (deadlineNanos - System.nanoTime()) / 1_000_000);
    if (state.expressUnderWay() > 0 && leftMillis > 0) {
      vertx.setTimer(LOOK_MILLIS, timer -> shutdownOnceAnswered(deadlineNanos, closed));
      return;
    }
    // Vert.x closes those it knows: not all have sent it a request.
    state.connections().closeIdle();
    server.shutdown(leftMillis, TimeUnit.MILLISECONDS).onComplete(closed);
  }

  /** Returns the Vert.x it was deployed in. */
  public Vertx vertx() {
    return vertx;
  }
}

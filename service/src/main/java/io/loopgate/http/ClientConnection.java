package io.loopgate.http;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The accounting of one connection of the data port, from the moment it was accepted: how many
 * there are, whether it is idle, and whether Vert.x owes it an answer. Confined to its loop.
 */
final class ClientConnection {
  private static final AttributeKey<ClientConnection> KEY =
      AttributeKey.valueOf(ClientConnection.class, "connection");

  private final LoopState loop;
  private final Channel channel;
  private final ConnectionWatch.Use use;
  private @Nullable HttpConnection known;
  private int owed;

  private ClientConnection(LoopState loop, Channel channel) {
    this.loop = loop;
    this.channel = channel;
    this.use = loop.connections().opened(this::close, System.nanoTime());
  }

  /** Counts a connection, and closes it if there are too many. */
  static ClientConnection opened(LoopState loop, Channel channel) {
    ClientConnection connection = new ClientConnection(loop, channel);
    channel.attr(KEY).set(connection);
    DataPlane plane = loop.plane();
    plane.telemetry().connection(1);
    if (plane.connections().incrementAndGet() > plane.options().maxConnections()) {
      var _ = channel.close();
    }
    return connection;
  }

  /** Returns the accounting of a connection that Vert.x knows. */
  static Optional<ClientConnection> of(HttpConnection connection) {
    return connection instanceof HttpServerConnection server
        ? Optional.ofNullable(server.channelHandlerContext().channel().attr(KEY).get())
        : Optional.empty();
  }

  /** Vert.x knows it from now on, and can close it as its protocol wants. */
  void known(HttpConnection connection) {
    known = connection;
  }

  private void close() {
    HttpConnection ofVertx = known;
    if (ofVertx == null) {
      var _ = channel.close();
    } else {
      var _ = ofVertx.close();
    }
  }

  /** The connection is closed. */
  void closed() {
    loop.connections().closed(use);
    loop.plane().connections().decrementAndGet();
    loop.plane().telemetry().connection(-1);
  }

  /** A request goes to Vert.x. */
  void handedOver() {
    owed++;
  }

  /** Tells whether Vert.x has requests of this connection that are not answered yet. */
  boolean isOwedAnAnswer() {
    return owed > 0;
  }

  /** A request has begun. */
  void requestStarted() {
    use.requestStarted();
  }

  /** A request that Vert.x had has ended, and its answer is out. */
  void exchangeEnded(long nowNanos) {
    owed--;
    use.requestEnded(nowNanos);
  }

  /** A request that Vert.x never saw has ended. */
  void requestEnded(long nowNanos) {
    use.requestEnded(nowNanos);
  }
}

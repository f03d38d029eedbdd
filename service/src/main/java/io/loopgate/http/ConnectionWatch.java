package io.loopgate.http;

import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Closes connections that have had no request for a while, counting from the end of the last one: a
 * request that takes long is no idle connection, and half a header does not make a busy one.
 * Confined to its loop.
 */
final class ConnectionWatch {
  private static final class Use {
    private int requests;
    private long idleSinceNanos;
  }

  private final long timeoutNanos;
  private final IdentityHashMap<HttpConnection, Use> connections = new IdentityHashMap<>();

  ConnectionWatch(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  void opened(HttpConnection connection, long nowNanos) {
    Use use = new Use();
    use.idleSinceNanos = nowNanos;
    connections.put(connection, use);
  }

  void closed(HttpConnection connection) {
    connections.remove(connection);
  }

  void requestStarted(HttpConnection connection) {
    Use use = connections.get(connection);
    if (use != null) {
      use.requests++;
    }
  }

  void requestEnded(HttpConnection connection, long nowNanos) {
    Use use = connections.get(connection);
    if (use != null) {
      use.requests--;
      use.idleSinceNanos = nowNanos;
    }
  }

  void sweep(long nowNanos) {
    List<HttpConnection> idle = new ArrayList<>();
    connections.forEach(
        (connection, use) -> {
          if (use.requests == 0 && nowNanos - use.idleSinceNanos >= timeoutNanos) {
            idle.add(connection);
          }
        });
    idle.forEach(HttpConnection::close);
  }
}

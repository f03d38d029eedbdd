package io.loopgate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Closes connections that have had no request for a while, counting from the end of the last one,
 * or from the start: a request that takes long is no idle connection, and half a header does not
 * make a busy one. Confined to its loop.
 */
final class ConnectionWatch {
  /** What is known of a connection. */
  static final class Use {
    private final Runnable close;
    private int requests;
    private long idleSinceNanos;

    private Use(Runnable close, long nowNanos) {
      this.close = close;
      this.idleSinceNanos = nowNanos;
    }

    void requestStarted() {
      requests++;
    }

    void requestEnded(long nowNanos) {
      requests--;
      idleSinceNanos = nowNanos;
    }

    private boolean isIdle() {
      return requests == 0;
    }
  }

  private final long timeoutNanos;
  private final Set<Use> connections = Collections.newSetFromMap(new IdentityHashMap<>());

  ConnectionWatch(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Begins to watch a connection; {@code close} is how to close it. */
  Use opened(Runnable close, long nowNanos) {
    Use use = new Use(close, nowNanos);
    connections.add(use);
    return use;
  }

  void closed(Use use) {
    connections.remove(use);
  }

  void sweep(long nowNanos) {
    closeAll(nowNanos - timeoutNanos);
  }

  /** Closes all that have no request just now. */
  void closeIdle() {
    closeAll(System.nanoTime());
  }

  private void closeAll(long idleSinceNanos) {
    List<Use> idle = new ArrayList<>();
    for (Use use : connections) {
      if (use.isIdle() && idleSinceNanos - use.idleSinceNanos >= 0) {
        idle.add(use);
      }
    }
    idle.forEach(use -> use.close.run());
  }
}

package io.loopgate.http;

import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which event loops serve the data port, and what the requests of each share. Thread-safe.
 *
 * <p>The one link between sockets as they are accepted and the data plane, which comes later: one
 * registry for each Vert.x.
 */
public final class ExpressRegistry {
  private final Map<EventLoop, LoopState> loops = new ConcurrentHashMap<>();

  /** Creates a registry without loops. */
  public ExpressRegistry() {}

  void add(EventLoop eventLoop, LoopState state) {
    loops.put(eventLoop, state);
  }

  /** Returns what a loop's requests share; null for a loop that serves another port. */
  @Nullable LoopState find(EventLoop eventLoop) {
    return loops.get(eventLoop);
  }
}

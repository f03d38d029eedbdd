package io.loopgate.bench.load;

import io.loopgate.engine.LoopContext;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Event loops for the length of one run. For control threads. */
public final class Loops implements AutoCloseable {
  private static final long CLOSE_TIMEOUT_SECONDS = 10;

  private final EventLoopGroup group;
  private final List<LoopContext> contexts;

  private Loops(EventLoopGroup group, List<LoopContext> contexts) {
    this.group = group;
    this.contexts = List.copyOf(contexts);
  }

  /**
   * Starts loops.
   *
   * @throws IllegalArgumentException if this machine has none of the kind
   */
  public static Loops start(LoopTransport transport, int count) {
    EventLoopGroup group = transport.start(count, new DefaultThreadFactory("bench-loop", true));
    List<LoopContext> contexts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      contexts.add(new NettyLoop(i, group.next()));
    }
    return new Loops(group, contexts);
  }

  /** Returns the loops. */
  public List<LoopContext> contexts() {
    return contexts;
  }

  @Override
  public void close() {
    group
        .shutdownGracefully(0, CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}

package io.loopgate.bench.load;

import io.loopgate.block.CompletionSink;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.LoopContext;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An event loop of Netty's as engines see it. Any thread. */
final class NettyLoop implements LoopContext {
  private final int index;
  private final EventLoop loop;
  private final CompletionQueue completions;

  NettyLoop(int index, EventLoop loop) {
    this.index = index;
    this.loop = loop;
    this.completions = new CompletionQueue(index, loop);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    var _ = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public CompletionSink completions() {
    return completions;
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(loop) ? Optional.of(type.cast(loop)) : Optional.empty();
  }
}

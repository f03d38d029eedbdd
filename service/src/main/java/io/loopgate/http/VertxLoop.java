package io.loopgate.http;

import io.loopgate.block.CompletionSink;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.LoopContext;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One of Vert.x's event loops, as engines and volumes see it. Any thread. */
public final class VertxLoop implements LoopContext {
  private final int index;
  private final EventLoop eventLoop;
  private final CompletionQueue completions;

  /** Wraps a loop. */
  public VertxLoop(int index, EventLoop eventLoop) {
    this.index = index;
    this.eventLoop = eventLoop;
    this.completions = new CompletionQueue(index, eventLoop);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    var _ = eventLoop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public CompletionSink completions() {
    return completions;
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(eventLoop) ? Optional.of(type.cast(eventLoop)) : Optional.empty();
  }
}

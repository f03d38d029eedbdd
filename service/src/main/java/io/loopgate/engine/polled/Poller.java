package io.loopgate.engine.polled;

import io.loopgate.engine.LoopContext;
import io.loopgate.engine.aio.AioEngine;
import io.loopgate.engine.aio.CompletionWatch;
import io.loopgate.engine.netty.NextTurn;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Polls for all pending transfers of a queue, one pass in each turn of its first loop, as long as
 * there are any.
 *
 * <p>dm's final design (5.18): submitting and polling are two steps, one pass takes whatever has
 * ended, and the loop serves its sockets between passes. It does not sleep while anything is
 * pending. In hybrid mode it does, after {@code IORING_SETUP_HYBRID_IOPOLL} (6.13): no transfer is
 * polled for before it is half as old as the fastest one took.
 */
final class Poller implements CompletionWatch {
  private final AioEngine queue;
  private final LoopContext loop;
  private final boolean hybrid;
  private final AtomicBoolean active = new AtomicBoolean();
  private final Runnable pass = this::pass;
  private final Runnable begin = this::goOn;
  private final NextTurn nextTurn;

  Poller(AioEngine queue, LoopContext loop, boolean hybrid) {
    this.queue = queue;
    this.loop = loop;
    this.hybrid = hybrid;
    this.nextTurn = new NextTurn(loop, pass);
  }

  @Override
  public void expect() {
    if (queue.hasPending() && active.compareAndSet(false, true)) {
      loop.execute(begin);
    }
  }

  private void pass() {
    queue.poll(loop.completions());
    goOn();
  }

  private void goOn() {
    if (!queue.hasPending()) {
      active.set(false);
      // One may have come between the look and the note.
      expect();
      return;
    }
    long delayNanos = hybrid ? delayNanos() : 0;
    if (delayNanos > 0) {
      loop.schedule(pass, delayNanos);
    } else {
      nextTurn.again();
    }
  }

  private long delayNanos() {
    long leastNanos = queue.leastServiceNanos();
    OptionalLong oldest = queue.oldestHandedNanos();
    if (leastNanos == Long.MAX_VALUE || oldest.isEmpty()) {
      return 0;
    }
    return oldest.getAsLong() + leastNanos / 2 - System.nanoTime();
  }

  /** Nothing is pending any more: the last pass finds that, and a late one touches nothing. */
  @Override
  public boolean close() {
    return true;
  }
}

package io.loopgate.engine.polled;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.aio.AioEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Submits a transfer and spins until the queue has none, inside submit: what dm tried first.
 *
 * <p>Here to be measured against. A submit that returns at the end of its command means a queue
 * depth of 1, whatever clients do, and a loop that serves nobody else meanwhile. The spin is
 * bounded; what takes longer is polled for as in batch mode.
 */
final class NaiveEngine implements LoopEngine {
  /** Far longer than any disk that works. */
  static final Duration SPIN_MAX = Duration.ofMillis(200);

  private final AioEngine queue;
  private final Poller poller;
  private final long spinNanosMax;

  /** One loop spins for all: the ends of others would never be seen by loops that spin as well. */
  private final AtomicBoolean spinning = new AtomicBoolean();

  NaiveEngine(AioEngine queue, List<LoopContext> loops, Duration spinMax) {
    this.queue = queue;
    this.poller = new Poller(queue, loops.getFirst(), false);
    this.spinNanosMax = spinMax.toNanos();
  }

  @Override
  public boolean submit(BlockRequest request) {
    CompletionSink home = request.home();
    if (!queue.submit(request)) {
      return false;
    }
    // What a completion submits is for the spin or the pass that the completion is part of.
    if (!queue.isPolling(home) && spinning.compareAndSet(false, true)) {
      spin(home);
      spinning.set(false);
      poller.expect();
    }
    return true;
  }

  private void spin(CompletionSink home) {
    long beganNanos = System.nanoTime();
    while (queue.hasPending() && System.nanoTime() - beganNanos < spinNanosMax) {
      queue.poll(home);
      Thread.onSpinWait();
    }
  }

  @Override
  public int inFlight() {
    return queue.inFlight();
  }

  @Override
  public boolean drain(Duration timeout) {
    return queue.drain(timeout);
  }

  @Override
  public void close() {
    queue.close();
  }
}

package io.loopgate.engine.polled;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.EngineEnvironment;
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
 * depth of 1, whatever clients do, and a loop that serves nobody else meanwhile. Commands that a
 * completion submits inside the spin wait for their turn in it. The spin is bounded; what takes
 * longer is polled for by passes, still one at a time.
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

  /** Returns the environment of a queue for this engine: the kernel never has two commands. */
  static EngineEnvironment oneAtATime(EngineEnvironment environment) {
    return new EngineEnvironment(
        environment.volume(),
        environment.backing(),
        environment.queueCapacity(),
        environment.unsafeInline(),
        environment.loops(),
        environment.telemetry(),
        environment.options().withDepth(1).withMerge(false),
        environment.blockingWrites());
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

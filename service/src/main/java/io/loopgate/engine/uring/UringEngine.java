package io.loopgate.engine.uring;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandLane;
import io.loopgate.engine.Ends;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.InFlight;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.RequestStack;
import io.loopgate.engine.ThreadLane;
import io.loopgate.engine.netty.Ring;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One ring, one thread beside it for what a ring does not do; see {@link UringProvider}.
 *
 * <p>On the ring's own thread a command goes straight into the ring and ends there. Commands of
 * other loops are handed over in batches with one wake-up each, and so are their completions.
 */
final class UringEngine implements LoopEngine {
  private static final Logger LOG = LoggerFactory.getLogger(UringEngine.class);

  /** How long close waits for what is in the kernel. */
  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final Duration closeTimeout;
  private final InFlight inFlight;
  private final Ends ends;
  private final TransferRules rules;
  private final EngineCommands slow;
  private final CommandLane slowLane;
  private final RingQueue queue;
  private final Ring ring;
  private final RequestStack arrived = new RequestStack();
  private final Runnable takeArrived;
  private final Consumer<BlockRequest> intoRing;

  /**
   * Opens the ring and starts the other thread.
   *
   * @param here the loop that owns the ring, if one does
   */
  UringEngine(
      EngineEnvironment environment,
      Optional<CompletionSink> here,
      Function<Ring.Listener, Ring> rings,
      Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
    this.inFlight = new InFlight(environment.queueCapacity());
    this.ends = new Ends(inFlight);
    this.rules = new TransferRules(environment.backing());
    this.slow = new EngineCommands(environment, 1, inFlight);
    String slowName = "loopgate-uring-" + environment.volume() + "-slow";
    this.slowLane = new ThreadLane(slowName, 1, environment, slow);
    this.queue = new RingQueue(environment, rules, inFlight, this::runSlowly, here, rings);
    this.ring = queue.ring();
    this.intoRing = queue::take;
    this.takeArrived = () -> forEach(arrived.takeAll(), intoRing);
  }

  @Override
  public boolean submit(BlockRequest request) {
    if (!rules.isPlain(request)) {
      return slow.submit(request, slowLane);
    }
    if (!inFlight.tryEnter()) {
      return false;
    }
    if (ring.isHere()) {
      queue.take(request);
    } else if (arrived.push(request)) {
      wakeRing();
    }
    return true;
  }

  private void wakeRing() {
    try {
      ring.execute(takeArrived);
    } catch (RejectedExecutionException e) {
      LOG.debug("the ring's thread has ended", e);
      forEach(arrived.takeAll(), this::runSlowly);
    }
  }

  /** Runs on the thread beside the ring what has entered; it ends in any case. */
  private void runSlowly(BlockRequest request) {
    if (!slow.handOver(request, slowLane)) {
      ends.end(request, -Errno.OVERLOADED, null);
    }
  }

  private static void forEach(@Nullable BlockRequest first, Consumer<BlockRequest> action) {
    BlockRequest request = first;
    while (request != null) {
      // Read first: whoever gets the request links it anew.
      BlockRequest following = request.next();
      action.accept(request);
      request = following;
    }
  }

  @Override
  public int inFlight() {
    return inFlight.count();
  }

  @Override
  public boolean drain(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }

  /**
   * Waits for what the kernel has. A transfer that outlasts that keeps its memory and its slot: the
   * ring stays behind for it, and ends by itself after its completion.
   */
  @Override
  public void close() {
    inFlight.close();
    if (!inFlight.awaitNone(closeTimeout)) {
      LOG.warn("{} commands are stuck in the kernel; they are left behind", inFlight.count());
      dropWaiting();
    }
    slowLane.close();
    ring.close();
  }

  private void dropWaiting() {
    try {
      ring.execute(queue::dropWaiting);
    } catch (RejectedExecutionException e) {
      LOG.debug("the ring's thread has ended", e);
    }
  }
}

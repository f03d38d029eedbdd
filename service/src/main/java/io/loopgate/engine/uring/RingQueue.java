package io.loopgate.engine.uring;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.Ends;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.InFlight;
import io.loopgate.engine.netty.Ring;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commands that are in a ring, and in order of arrival those that wait until one of them ends.
 *
 * <p>Confined to the ring's thread; nothing is allocated per command.
 */
final class RingQueue implements Ring.Listener {
  private final TransferRules rules;
  private final VolumeTelemetry telemetry;
  private final InFlight inFlight;
  private final Ends ends;
  private final Consumer<BlockRequest> slowLane;
  private final @Nullable CompletionSink here;
  private final Ring ring;
  private final @Nullable BlockRequest[] slots;
  private final long[] startedNanos;
  private final int[] freeSlots;
  private final ArrayDeque<BlockRequest> waiting;
  private int freeCount;

  /**
   * Opens the ring.
   *
   * @param slowLane runs what the ring does not, on another thread, to its end
   * @param here whose commands end on the ring's own thread
   */
  RingQueue(
      EngineEnvironment environment,
      TransferRules rules,
      InFlight inFlight,
      Consumer<BlockRequest> slowLane,
      Optional<CompletionSink> here,
      Function<Ring.Listener, Ring> rings) {
    int depth = environment.options().depth();
    this.rules = rules;
    this.telemetry = environment.telemetry();
    this.inFlight = inFlight;
    this.ends = new Ends(inFlight);
    this.slowLane = slowLane;
    this.here = here.orElse(null);
    this.slots = new @Nullable BlockRequest[depth];
    this.startedNanos = new long[depth];
    this.freeSlots = new int[depth];
    this.freeCount = depth;
    for (int i = 0; i < depth; i++) {
      freeSlots[i] = depth - 1 - i;
    }
    this.waiting = new ArrayDeque<>(environment.queueCapacity());
    this.ring = rings.apply(this);
  }

  Ring ring() {
    return ring;
  }

  /** Takes a plain transfer: into the ring, or behind those that wait for a place in it. */
  void take(BlockRequest request) {
    if (freeCount == 0) {
      waiting.add(request);
    } else {
      begin(request);
    }
  }

  private void begin(BlockRequest request) {
    long nowNanos = System.nanoTime();
    telemetry.queueWaitNanos(nowNanos - request.startNanos());
    if (request.isExpired(nowNanos)) {
      end(request, -Errno.DEADLINE);
      return;
    }
    freeCount--;
    int slot = freeSlots[freeCount];
    slots[slot] = request;
    startedNanos[slot] = nowNanos;
    if (!ring.transfer(slot, request)) {
      free(slot);
      slowLane.accept(request);
    }
  }

  private void free(int slot) {
    slots[slot] = null;
    freeSlots[freeCount] = slot;
    freeCount++;
  }

  @Override
  public void ended(int slot, int result) {
    BlockRequest request = slots[slot];
    if (request == null) {
      throw new IllegalStateException("slot " + slot + " ended twice");
    }
    if (result > 0) {
      request.advance(result);
      if (request.remainingBytes() > 0 && rules.isPlain(request) && ring.transfer(slot, request)) {
        return;
      }
    }
    telemetry.serviceNanos(System.nanoTime() - startedNanos[slot]);
    free(slot);
    // First: the device has something to do while completions run.
    beginWaiting();
    if (request.remainingBytes() == 0) {
      end(request, request.lengthBytes());
    } else if (result > 0 || TransferRules.isOdd(result)) {
      slowLane.accept(request);
    } else {
      end(request, result);
    }
  }

  private void beginWaiting() {
    while (freeCount > 0) {
      BlockRequest next = waiting.poll();
      if (next == null) {
        return;
      }
      begin(next);
    }
  }

  private void end(BlockRequest request, long result) {
    ends.end(request, result, here);
  }

  @Override
  public void closing() {
    inFlight.close();
    dropWaiting();
  }

  /** Ends all that are not in the ring yet. */
  void dropWaiting() {
    for (BlockRequest left = waiting.poll(); left != null; left = waiting.poll()) {
      end(left, -Errno.CLOSED);
    }
  }
}

package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Requests on their way to one thread, which takes all that are there at once.
 *
 * <p>They are linked through themselves, so nothing is allocated and there is no bound to reach.
 * Never blocks: any thread may push, and who finds the stack empty wakes the taker, so that a batch
 * costs one wake-up.
 */
public final class RequestStack {
  private final AtomicReference<@Nullable BlockRequest> newest = new AtomicReference<>();

  /** Adds a request; returns whether it was the first, so that the taker has to be woken. */
  public boolean push(BlockRequest request) {
    BlockRequest before;
    do {
      before = newest.get();
      request.setNext(before);
    } while (!newest.compareAndSet(before, request));
    return before == null;
  }

  /** Takes all that are there: the oldest, with the others linked behind it in order. */
  public @Nullable BlockRequest takeAll() {
    BlockRequest reversed = null;
    BlockRequest rest = newest.getAndSet(null);
    while (rest != null) {
      BlockRequest following = rest.next();
      rest.setNext(reversed);
      reversed = rest;
      rest = following;
    }
    return reversed;
  }
}

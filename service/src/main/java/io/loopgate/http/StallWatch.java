package io.loopgate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Finds transfers whose client stands still, and cuts them. Confined to its loop; looks at all of
 * them now and then, so that a request pays for no timer.
 */
final class StallWatch {
  /** A transfer that waits for its client. */
  interface Transfer {
    /** Returns a number that changes whenever the client took or sent something. */
    long progress();

    /** The client stood still for too long. */
    void cut();
  }

  private static final class Watched {
    private long progress;
    private long sinceNanos;

    Watched(long progress, long sinceNanos) {
      this.progress = progress;
      this.sinceNanos = sinceNanos;
    }
  }

  private final long timeoutNanos;
  private final IdentityHashMap<Transfer, Watched> transfers = new IdentityHashMap<>();

  StallWatch(long timeoutNanos) {
    this.timeoutNanos = timeoutNanos;
  }

  /** Begins to watch; again for one that is watched already changes nothing. */
  void watch(Transfer transfer, long nowNanos) {
    transfers.computeIfAbsent(transfer, t -> new Watched(t.progress(), nowNanos));
  }

  /** Stops watching. */
  void forget(Transfer transfer) {
    if (!transfers.isEmpty()) {
      transfers.remove(transfer);
    }
  }

  /** Looks at all, and cuts those that stood still. */
  void sweep(long nowNanos) {
    if (transfers.isEmpty()) {
      return;
    }
    Set<Transfer> stalled = Collections.newSetFromMap(new IdentityHashMap<>());
    transfers.forEach(
        (transfer, watched) -> {
          long progress = transfer.progress();
          if (progress != watched.progress) {
            watched.progress = progress;
            watched.sinceNanos = nowNanos;
          } else if (nowNanos - watched.sinceNanos >= timeoutNanos) {
            stalled.add(transfer);
          }
        });
    for (Transfer transfer : new ArrayList<>(stalled)) {
      transfers.remove(transfer);
      transfer.cut();
    }
  }
}

package io.loopgate.volume;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Keeps overlapping changes of a volume apart where the backing cannot: read-modify-write, zero and
 * discard.
 *
 * <p>An exclusive lock keeps every other one of its range away, a shared one only exclusive ones;
 * first come, first served. Nobody sleeps: a lock that has to wait runs its continuation later, on
 * the loop that asked. Requests and releases go through a queue that whoever finds it idle works
 * off, so there is no monitor that an event loop could stand in front of.
 */
final class RangeLocks {
  /** One claim on a range, from asking to release. */
  final class Lock {
    private final IoLoop loop;
    private final long startBytes;
    private final long endBytes;
    private final boolean exclusive;
    private final Consumer<Lock> granted;
    private boolean held;
    private boolean releasing;

    private Lock(
        IoLoop loop, long startBytes, long endBytes, boolean exclusive, Consumer<Lock> granted) {
      this.loop = loop;
      this.startBytes = startBytes;
      this.endBytes = endBytes;
      this.exclusive = exclusive;
      this.granted = granted;
    }

    private boolean conflictsWith(Lock other) {
      return (exclusive || other.exclusive)
          && startBytes < other.endBytes
          && other.startBytes < endBytes;
    }

    /** Gives the range back; once, from the loop that asked. */
    void release() {
      releasing = true;
      process(this);
    }
  }

  private final ConcurrentLinkedQueue<Lock> events = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  /** Held and waiting, in the order of asking; touched only by who works off the queue. */
  private final List<Lock> claims = new ArrayList<>();

  /**
   * Claims a range and holds it until the lock is released.
   *
   * @param granted runs on {@code loop} once the range is held, before this method returns if
   *     nothing is in the way; takes the lock, which it or what it starts releases
   */
  void hold(
      IoLoop loop, long startBytes, long endBytes, boolean exclusive, Consumer<Lock> granted) {
    process(new Lock(loop, startBytes, endBytes, exclusive, granted));
  }

  private void process(Lock event) {
    events.add(event);
    if (pending.getAndIncrement() != 0) {
      return;
    }
    List<Lock> grantedHere = new ArrayList<>();
    int handled = 1;
    do {
      for (int i = 0; i < handled; i++) {
        Lock next = events.remove();
        if (next.releasing) {
          claims.remove(next);
        } else {
          claims.add(next);
        }
      }
      grant(event.loop, grantedHere);
      handled = pending.addAndGet(-handled);
    } while (handled != 0);
    for (Lock lock : grantedHere) {
      lock.granted.accept(lock);
    }
  }

  private void grant(IoLoop here, List<Lock> grantedHere) {
    for (int i = 0; i < claims.size(); i++) {
      Lock lock = claims.get(i);
      if (lock.held || blockedByEarlier(lock, i)) {
        continue;
      }
      lock.held = true;
      if (lock.loop == here) {
        grantedHere.add(lock);
      } else {
        lock.loop.context().execute(() -> lock.granted.accept(lock));
      }
    }
  }

  private boolean blockedByEarlier(Lock lock, int position) {
    Iterator<Lock> earlier = claims.subList(0, position).iterator();
    while (earlier.hasNext()) {
      if (earlier.next().conflictsWith(lock)) {
        return true;
      }
    }
    return false;
  }
}

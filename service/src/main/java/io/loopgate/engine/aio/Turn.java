package io.loopgate.engine.aio;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.Ends;
import io.loopgate.sys.AsyncIo;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes what has ended, and gives the slots that came free to commands that wait for one.
 *
 * <p>Any thread may call {@link #run}, and none waits: one has its turn, the others leave a note,
 * upon which it looks once more.
 */
final class Turn {
  private static final int REAP_MAX = 64;

  /** How often one thread looks again for others before it gives its loop back. */
  private static final int ROUNDS_MAX = 16;

  /** More notes than are ever left. */
  private static final int CLOSED = 1 << 30;

  private static final long NAP_NANOS = Duration.ofMillis(1).toNanos();

  private final AsyncIo io;
  private final SlotPool pool;
  private final Submitter submitter;
  private final Results results;
  private final Ends ends;
  private final CommandQueue waiting;
  private final Groups groups;
  private final Batch batch;
  private final VolumeTelemetry telemetry;
  private final boolean polls;
  private final Runnable later;
  private final int[] slots = new int[REAP_MAX];
  private final long[] outcomes = new long[REAP_MAX];
  private final AtomicInteger notes = new AtomicInteger();

  /** Odd in the middle of one. */
  private final AtomicInteger rounds = new AtomicInteger();

  private volatile boolean holdsGroups;

  /** Who ends commands; plain, since each loop looks for itself only. */
  private @Nullable CompletionSink reaping;

  private volatile boolean abandoned;

  /**
   * Creates it.
   *
   * @param groups where waiting commands find their neighbours
   * @param polls whether looking is polling, and counted
   * @param later runs another turn, soon
   */
  Turn(
      AsyncIo io,
      SlotPool pool,
      Submitter submitter,
      Results results,
      Ends ends,
      CommandQueue waiting,
      Groups groups,
      VolumeTelemetry telemetry,
      boolean polls,
      Runnable later) {
    this.io = io;
    this.pool = pool;
    this.submitter = submitter;
    this.results = results;
    this.ends = ends;
    this.waiting = waiting;
    this.groups = groups;
    this.batch = new Batch(pool.size());
    this.telemetry = telemetry;
    this.polls = polls;
    this.later = later;
  }

  /**
   * Has a turn, or leaves a note.
   *
   * @param here the loop that runs this, whose commands end at once; or null
   */
  void run(@Nullable CompletionSink here) {
    if (notes.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    int roundsHere = 0;
    do {
      rounds.incrementAndGet();
      reap(here);
      refill();
      rounds.incrementAndGet();
      roundsHere++;
      if (roundsHere == ROUNDS_MAX) {
        notes.set(0);
        later.run();
        return;
      }
      seen = notes.addAndGet(-seen);
    } while (seen != 0);
  }

  private void reap(@Nullable CompletionSink here) {
    reaping = here;
    int found;
    do {
      found = io.reap(slots, outcomes);
      if (polls) {
        telemetry.polled(found);
      }
      if (found > 0) {
        long nowNanos = System.nanoTime();
        for (int i = 0; i < found; i++) {
          results.ended(pool.get(slots[i]), outcomes[i], here, nowNanos);
        }
      }
    } while (found == REAP_MAX);
    reaping = null;
  }

  /** Tells a loop whether it is just now ending commands: then it cannot have another turn. */
  @SuppressWarnings("ReferenceEquality") // two loops are the same if they are one
  boolean isReaping(CompletionSink here) {
    return reaping == here;
  }

  private void refill() {
    boolean freed;
    do {
      gather();
      if (abandoned) {
        drop();
        return;
      }
      submitter.dispatch(groups, batch);
      freed = submitter.submit(batch);
    } while (!groups.isEmpty() ? freed : waiting.size() > 0);
    holdsGroups = !groups.isEmpty();
  }

  private void gather() {
    while (!groups.isFull()) {
      BlockRequest request = waiting.poll();
      if (request == null) {
        return;
      }
      groups.add(request);
    }
  }

  /** Lets a command wait for a slot; any thread. A turn has to follow. */
  void await(BlockRequest request) {
    if (!waiting.add(request)) {
      // Cannot be: it has as much room as commands are admitted.
      ends.end(request, -Errno.OVERLOADED, null);
    }
  }

  /** Tells whether commands wait for a slot, so that others have to line up behind them. */
  boolean isAwaited() {
    return holdsGroups || waiting.size() > 0;
  }

  /**
   * Tells whether transfers are with the kernel, wait for a slot, or may be in between; any thread.
   *
   * <p>Who looks for ends as long as this is true misses none. In the middle of another thread's
   * round a command may be in neither place: its predecessor's slot is free, and it is not in it
   * yet.
   */
  boolean isBusy() {
    int before = rounds.get();
    boolean any = pool.used() > 0 || isAwaited();
    return any || (before & 1) != 0 || rounds.get() != before;
  }

  /** From now on whatever waits for a slot ends at once. */
  void abandon() {
    abandoned = true;
    run(null);
  }

  private void drop() {
    do {
      for (BlockRequest chain = groups.poll(); chain != null; chain = groups.poll()) {
        BlockRequest each = chain;
        while (each != null) {
          BlockRequest following = each.next();
          ends.end(each, -Errno.CLOSED, null);
          each = following;
        }
      }
      gather();
    } while (!groups.isEmpty());
  }

  /**
   * Waits until nobody has a turn, and lets nobody have one any more; returns whether that is so.
   */
  boolean close(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!notes.compareAndSet(0, CLOSED)) {
      if (System.nanoTime() - deadline > 0 || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(this, NAP_NANOS);
    }
    return true;
  }
}

package io.loopgate.engine.aio;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.LoopContext;

/**
 * One event loop's way into a queue: what it submits in one turn goes to the kernel together.
 * Confined to the loop.
 */
final class Lane {
  private final LoopContext loop;
  private final CompletionSink home;
  private final Groups groups;
  private final Batch batch;
  private final BatchLimit limit;
  private final SlotPool pool;
  private final Submitter submitter;
  private final Turn turn;
  private final CompletionWatch watch;
  private final Runnable flush = this::flush;
  private int gathered;
  private int gatheredMax;
  private boolean scheduled;

  /** Creates it; {@code groups} bounds how much goes together. */
  Lane(
      LoopContext loop,
      Groups groups,
      int batchMax,
      SlotPool pool,
      Submitter submitter,
      Turn turn,
      CompletionWatch watch) {
    this.loop = loop;
    this.home = loop.completions();
    this.groups = groups;
    this.batch = new Batch(batchMax);
    this.limit = new BatchLimit();
    this.pool = pool;
    this.submitter = submitter;
    this.turn = turn;
    this.watch = watch;
  }

  CompletionSink home() {
    return home;
  }

  /** Adds a command; it goes to the kernel at the end of this turn, or now if there are many. */
  void add(BlockRequest request) {
    if (gathered == 0) {
      gatheredMax = limit.commands(pool.used());
    }
    groups.add(request);
    gathered++;
    if (groups.isFull() || gathered >= gatheredMax) {
      handOver();
    } else if (!scheduled) {
      scheduled = true;
      loop.execute(flush);
    }
  }

  private void flush() {
    scheduled = false;
    if (!groups.isEmpty()) {
      handOver();
    }
  }

  private void handOver() {
    limit.gathered(gathered, groups.count());
    gathered = 0;
    if (!turn.isAwaited()) {
      submitter.dispatch(groups, batch);
      submitter.submit(batch);
    }
    for (BlockRequest chain = groups.poll(); chain != null; chain = groups.poll()) {
      lineUp(chain);
    }
    // What needed no waiting for the device has ended already.
    turn.run(home);
    watch.expect();
  }

  private void lineUp(BlockRequest chain) {
    BlockRequest each = chain;
    while (each != null) {
      BlockRequest following = each.next();
      turn.await(each);
      each = following;
    }
  }
}

package io.loopgate.volume;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes writes durable, many with one flush: while a flush runs, all that ask for the next one
 * gather, and share it.
 *
 * <p>A flush covers what had ended before it was submitted, so nobody joins one that is under way.
 * The first failure poisons: after a failed fsync the kernel has marked the lost pages clean, so a
 * later success would be a lie (the fsync errors of 2018; kernel-io rule 39). Any loop; never
 * blocks.
 */
final class GroupCommit {
  private record Waiter(IoLoop loop, IoHandler handler) {}

  private final Volume volume;
  private final ConcurrentLinkedQueue<Waiter> gathering = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unserved = new AtomicInteger();
  private volatile int poison;

  GroupCommit(Volume volume) {
    this.volume = volume;
  }

  /** Returns the error number that poisoned the volume, or 0. */
  int poison() {
    return poison;
  }

  /** Asks for everything that has ended so far to be durable; on {@code loop}. */
  void commit(IoLoop loop, IoHandler handler) {
    if (poison != 0) {
      handler.ended(-Errno.POISONED);
      return;
    }
    gathering.add(new Waiter(loop, handler));
    if (unserved.getAndIncrement() == 0) {
      flush(loop);
    }
  }

  private void flush(IoLoop loop) {
    List<Waiter> batch = new ArrayList<>();
    for (Waiter waiter = gathering.poll(); waiter != null; waiter = gathering.poll()) {
      batch.add(waiter);
    }
    long startNanos = System.nanoTime();
    volume.submit(
        loop,
        false,
        BlockOp.FLUSH,
        0,
        0,
        0,
        0,
        BlockRequest.NO_DEADLINE,
        result -> flushed(loop, batch, result, System.nanoTime() - startNanos));
  }

  private void flushed(IoLoop loop, List<Waiter> batch, long result, long tookNanos) {
    boolean neverStarted = result == -Errno.OVERLOADED || result == -Errno.CLOSED;
    if (result < 0 && !neverStarted && poison == 0) {
      poison = (int) -result;
    }
    volume.telemetry().flushEnded(tookNanos, batch.size(), result < 0);
    long answer = poison != 0 ? -Errno.POISONED : Math.min(0, result);
    // The next flush first: those who wait for it should not wait for our answers too.
    if (unserved.addAndGet(-batch.size()) > 0) {
      flush(loop);
    }
    for (Waiter waiter : batch) {
      waiter.loop.end(loop, waiter.handler, answer);
    }
  }
}

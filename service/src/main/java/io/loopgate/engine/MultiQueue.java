package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.time.Duration;
import java.util.List;

/**
 * {@code queues=N}: N engines of one kind on one backing, and each event loop always uses the same.
 *
 * <p>After the nr_hw_queues patch for the loop driver, 2025. There is no order between queues, and
 * none is promised; a flush covers the writes that had ended, in whichever queue they ran.
 */
final class MultiQueue implements LoopEngine {
  private final LoopEngine[] queues;

  MultiQueue(List<LoopEngine> queues) {
    this.queues = queues.toArray(LoopEngine[]::new);
  }

  @Override
  public boolean submit(BlockRequest request) {
    return queues[request.home().loopIndex() % queues.length].submit(request);
  }

  @Override
  public int inFlight() {
    int sum = 0;
    for (LoopEngine queue : queues) {
      sum += queue.inFlight();
    }
    return sum;
  }

  @Override
  public boolean drain(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean drained = true;
    for (LoopEngine queue : queues) {
      drained &= queue.drain(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    return drained;
  }

  @Override
  public void close() {
    for (LoopEngine queue : queues) {
      queue.close();
    }
  }
}

package io.loopgate.engine.uring;

import io.loopgate.block.BlockRequest;
import io.loopgate.engine.Await;
import io.loopgate.engine.TestLoop;
import io.loopgate.engine.netty.Ring;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;

/** A ring whose transfers end when and how the test says. */
final class HeldRing implements Ring {
  private final TestLoop loop;
  private final Listener listener;
  private final List<Transfer> begun = new CopyOnWriteArrayList<>();
  private volatile boolean refuses;
  private volatile boolean threadEnded;
  private volatile boolean closed;

  HeldRing(TestLoop loop, Listener listener) {
    this.loop = loop;
    this.listener = listener;
  }

  /** What was asked of it. */
  record Transfer(int slot, BlockRequest request, long offsetBytes, long lengthBytes) {}

  @Override
  public boolean isHere() {
    return loop.isHere();
  }

  @Override
  public void execute(Runnable task) {
    if (threadEnded) {
      throw new RejectedExecutionException("the thread has ended");
    }
    loop.execute(task);
  }

  @Override
  public boolean transfer(int slot, BlockRequest request) {
    if (refuses) {
      return false;
    }
    begun.add(
        new Transfer(slot, request, request.remainingOffsetBytes(), request.remainingBytes()));
    return true;
  }

  @Override
  public void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** Takes nothing any more. */
  void refuse() {
    refuses = true;
  }

  /** Runs no tasks any more. */
  void endThread() {
    threadEnded = true;
  }

  int count() {
    return begun.size();
  }

  /** Returns the n-th transfer of all, counted from 0; waits until it has begun. */
  Transfer transfer(int n) {
    Await.until("transfer " + n, () -> begun.size() > n);
    return begun.get(n);
  }

  /** Ends the n-th transfer of all. */
  void end(int n, int result) {
    int slot = transfer(n).slot();
    loop.run(() -> listener.ended(slot, result));
  }

  /** Ends the n-th transfer of all with everything moved. */
  void end(int n) {
    end(n, (int) transfer(n).lengthBytes());
  }

  /** The loop it is on ends. */
  void loopCloses() {
    loop.run(listener::closing);
  }
}

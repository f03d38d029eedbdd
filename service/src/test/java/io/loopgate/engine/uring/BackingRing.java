package io.loopgate.engine.uring;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.TestLoop;
import io.loopgate.engine.netty.Ring;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A ring whose kernel is a backing: each step runs on a thread of its own, and its end is told on
 * the ring's. So faults of a backing become those of a kernel.
 */
final class BackingRing implements Ring {
  private final Backing backing;
  private final TestLoop loop;
  private final boolean ownsLoop;
  private final Listener listener;
  private final ExecutorService kernel = Executors.newCachedThreadPool();

  BackingRing(Backing backing, TestLoop loop, boolean ownsLoop, Listener listener) {
    this.backing = backing;
    this.loop = loop;
    this.ownsLoop = ownsLoop;
    this.listener = listener;
  }

  @Override
  public boolean isHere() {
    return loop.isHere();
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean transfer(int slot, BlockRequest request) {
    kernel.execute(
        () -> {
          int result = step(request);
          loop.execute(() -> listener.ended(slot, result));
        });
    return true;
  }

  private int step(BlockRequest request) {
    try {
      return (int) backing.execute(request);
    } catch (RuntimeException | Error e) {
      // A bug in a backing stands for one in a driver, of which nobody sees more than this.
      return -Errno.EIO;
    }
  }

  @Override
  public void close() {
    kernel.shutdown();
    if (ownsLoop) {
      loop.close();
    }
  }
}

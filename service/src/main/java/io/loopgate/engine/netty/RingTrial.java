package io.loopgate.engine.netty;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoEvent;
import io.netty.channel.uring.IoUringIoHandle;
import io.netty.channel.uring.IoUringIoOps;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds out whether the kernel lets this process use a ring, by letting it do nothing: a filter may
 * well allow {@code io_uring_setup} and refuse {@code io_uring_enter}.
 */
final class RingTrial implements IoUringIoHandle {
  private static final byte IORING_OP_NOP = 0;
  private static final long LOOK_MILLIS = 20;

  private final CompletableFuture<Integer> result = new CompletableFuture<>();

  private RingTrial() {}

  /**
   * Throws what the kernel has against it. For control threads: waits.
   *
   * @throws RuntimeException see {@link RingRefusal#of}
   */
  static void run(RingThread thread) {
    new RingTrial().tryOut(thread);
  }

  private void tryOut(RingThread thread) {
    IoRegistration registration = IoUringRing.register(thread.loop(), this);
    registration.submit(
        new IoUringIoOps(
            IORING_OP_NOP, (byte) 0, (short) 0, -1, 0, 0, 0, 0, 0L, (short) 0, (short) 0, 0, 0L));
    int answer = await(thread);
    registration.cancel();
    if (answer < 0) {
      throw new IllegalStateException("a ring answers error " + -answer);
    }
  }

  private int await(RingThread thread) {
    long deadlineNanos = System.nanoTime() + IoUringRing.LOOP_TIMEOUT.toNanos();
    while (System.nanoTime() - deadlineNanos < 0) {
      try {
        return result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        // A loop whose io_uring_enter fails ends; Netty logs the error, and keeps it.
        if (thread.isEnding()) {
          throw new IllegalStateException(RingRefusal.NO_ENTRY, e);
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(RingRefusal.NO_ENTRY, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while trying a ring", e);
      }
    }
    throw new IllegalStateException("a ring does not answer");
  }

  @Override
  public void handle(IoRegistration registration, IoEvent event) {
    result.complete(((IoUringIoEvent) event).res());
  }

  @Override
  public void close() {
    result.completeExceptionally(new IllegalStateException(RingRefusal.NO_ENTRY));
  }
}

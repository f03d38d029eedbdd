package io.loopgate.engine.netty;

import io.loopgate.engine.LoopContext;
import io.netty.channel.IoEventLoop;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandle;
import java.util.Optional;

/** Gives engines rings, by whatever transport the event loops run. For control threads. */
public final class Rings {
  private Rings() {}

  /** Tells whether an event loop has a ring of its own, as with the io_uring transport. */
  public static boolean has(LoopContext loop) {
    return ringLoop(loop).isPresent();
  }

  private static Optional<IoEventLoop> ringLoop(LoopContext loop) {
    return loop.unwrap(IoEventLoop.class)
        .filter(netty -> netty.isCompatible(IoUringIoHandle.class));
  }

  /**
   * Tries whether {@link #shared a ring thread} can be had, and returns what is against it. One
   * that works is kept for those who will use it.
   */
  public static Optional<RingRefusal> refusal(int number, boolean manyWorkers) {
    if (!IoUring.isAvailable()) {
      return Optional.of(RingRefusal.of(IoUring.unavailabilityCause()));
    }
    try {
      RingTrial.run(RingThread.shared(number, manyWorkers));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(RingRefusal.of(e));
    }
  }

  /**
   * Joins the ring of an event loop.
   *
   * @throws IllegalArgumentException if it {@linkplain #has has none}
   * @throws IllegalStateException if the loop does not answer
   */
  public static Ring of(LoopContext loop, RingOptions options, Ring.Listener listener) {
    IoEventLoop netty =
        ringLoop(loop)
            .orElseThrow(
                () -> new IllegalArgumentException("loop " + loop.index() + " has no ring"));
    return new IoUringRing(netty, options, listener);
  }

  /**
   * Joins a ring with a thread that serves nothing but rings.
   *
   * @param number which one, counted from 0
   * @param manyWorkers whether to join one whose transfers the kernel's workers may run side by
   *     side, as many as it likes; else it has few of them, which is what writes want
   * @throws RuntimeException if the kernel refuses
   */
  public static Ring shared(
      int number, boolean manyWorkers, RingOptions options, Ring.Listener listener) {
    return new IoUringRing(RingThread.shared(number, manyWorkers).loop(), options, listener);
  }
}

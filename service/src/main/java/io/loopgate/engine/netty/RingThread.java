package io.loopgate.engine.netty;

import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A thread with a ring, for engines whose event loops have none: a Netty loop without sockets.
 *
 * <p>The volumes of a process share them, and they are never ended. That is not for thrift alone:
 * when a loop with a ring ends, Netty 4.2.18 may free the 8 bytes its eventfd is read into while
 * the kernel is still to fill them. Two of 6000 loops that were ended right after a task damaged
 * the heap of the process so (netty#16836 closed another window of the same race). So a ring lives
 * as long as the process, and there are few: two for each event loop at most.
 */
final class RingThread {
  private static final ConcurrentHashMap<Key, RingThread> ALL = new ConcurrentHashMap<>();

  private static final int SUBMISSION_ENTRIES = 256;

  /** What several volumes have in flight; more than that the kernel keeps aside. */
  private static final int COMPLETION_ENTRIES = 1024;

  /**
   * Writers of one file fight for its one lock. Capping them at 2 took buffered writes from 200 to
   * 370 thousand a second when io_uring did it (54a91f3bb9b9).
   */
  private static final int FEW_WORKERS = 2;

  private static final int AS_MANY_AS_THE_KERNEL_LIKES = 0;

  private record Key(int number, boolean manyWorkers) {}

  private final MultiThreadIoEventLoopGroup group;

  private RingThread(Key key) {
    String name = "loopgate-uring-" + (key.manyWorkers() ? "wide-" : "") + key.number();
    IoUringIoHandlerConfig config =
        new IoUringIoHandlerConfig()
            .setRingSize(SUBMISSION_ENTRIES)
            .setCqSize(COMPLETION_ENTRIES)
            .setMaxBoundedWorker(key.manyWorkers() ? AS_MANY_AS_THE_KERNEL_LIKES : FEW_WORKERS);
    this.group =
        new MultiThreadIoEventLoopGroup(
            1,
            Thread.ofPlatform().name(name).daemon(true).factory(),
            IoUringIoHandler.newFactory(config));
  }

  /**
   * Returns one of them, made anew if it is the first time or if the last one failed. For control
   * threads.
   *
   * @param number counted from 0; engines with the same number share a ring
   * @param manyWorkers whether the kernel's workers run all there is to do, and not just what
   *     writes leave them
   * @throws RuntimeException if the kernel refuses; {@link RingRefusal} has the words for it
   */
  static RingThread shared(int number, boolean manyWorkers) {
    return ALL.compute(
        new Key(number, manyWorkers),
        (key, made) -> made == null || made.isEnding() ? new RingThread(key) : made);
  }

  IoEventLoop loop() {
    return group.next();
  }

  /** Tells whether the thread ends or has ended, which it does only if the kernel fails it. */
  boolean isEnding() {
    return group.isShuttingDown();
  }
}

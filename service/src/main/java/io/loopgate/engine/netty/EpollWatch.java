package io.loopgate.engine.netty;

import io.loopgate.engine.LoopContext;
import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches an eventfd on the epoll of one of Netty's event loops.
 *
 * <p>Edge-triggered: every signal wakes the loop once, and nobody has to read the counter. Opened
 * and closed by control threads, which wait for the loop, but not for long.
 */
public final class EpollWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EpollWatch.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final EpollIoOps SIGNALS = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLET);

  private final LoopContext loop;
  private final IoRegistration registration;

  private EpollWatch(LoopContext loop, IoRegistration registration) {
    this.loop = loop;
    this.registration = registration;
  }

  /** The descriptor stays its owner's: Netty closes it neither here nor when the loop ends. */
  private record Handle(FileDescriptor fd, Runnable onSignal) implements EpollIoHandle {
    @Override
    public void handle(IoRegistration ignored, IoEvent event) {
      onSignal.run();
    }

    @Override
    public void close() {}
  }

  /** Tells whether a loop has an epoll of Netty's. */
  public static boolean isPossible(LoopContext loop) {
    return eventLoop(loop).isPresent();
  }

  private static Optional<IoEventLoop> eventLoop(LoopContext loop) {
    return loop.unwrap(IoEventLoop.class).filter(each -> each.isCompatible(EpollIoHandle.class));
  }

  /**
   * Begins to watch.
   *
   * @param fd the eventfd, which has to stay open until {@link #close} returned true
   * @param onSignal runs on the loop after signals, once for all that came meanwhile
   * @return nothing if the loop has no epoll of Netty's or refuses
   * @throws IllegalStateException if the loop does not answer
   */
  public static Optional<EpollWatch> open(LoopContext loop, int fd, Runnable onSignal) {
    return eventLoop(loop).flatMap(netty -> open(loop, netty, fd, onSignal));
  }

  private static Optional<EpollWatch> open(
      LoopContext loop, IoEventLoop netty, int fd, Runnable onSignal) {
    Future<IoRegistration> registering =
        netty.register(new Handle(new FileDescriptor(fd), onSignal));
    if (!registering.isDone() && !registering.awaitUninterruptibly(TIMEOUT.toMillis())) {
      throw new IllegalStateException("event loop " + loop.index() + " does not answer");
    }
    if (!registering.isSuccess()) {
      LOG.warn("event loop {} cannot watch an eventfd", loop.index(), registering.cause());
      return Optional.empty();
    }
    IoRegistration registration = registering.getNow();
    registration.submit(SIGNALS);
    return Optional.of(new EpollWatch(loop, registration));
  }

  /**
   * Ends the watch and waits until the loop has forgotten the descriptor.
   *
   * @return whether that is so; if not, the descriptor must stay open
   */
  public boolean close() {
    registration.cancel();
    CountDownLatch forgotten = new CountDownLatch(1);
    try {
      loop.execute(forgotten::countDown);
      return forgotten.await(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // The loop has ended, and its epoll with it.
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

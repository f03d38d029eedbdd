package io.loopgate.engine.aio;

import io.loopgate.engine.LoopContext;
import io.loopgate.engine.netty.EpollWatch;
import io.loopgate.sys.EventFd;
import java.time.Duration;
import java.util.Optional;

/**
 * Looks when the kernel signals an eventfd: on the epoll of the queue's first loop where that is
 * one of Netty's, else on a thread that waits for it.
 *
 * <p>The thread waits for the eventfd and not in {@code io_getevents}: loops take events from the
 * ring as well, right after they submitted, and the kernel would not know.
 */
final class SignalWatch implements CompletionWatch.Kind {
  /** As many as one turn brings; a full batch goes at once. */
  private static final int BATCH_MAX = 64;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Override
  public boolean signals() {
    return true;
  }

  @Override
  public int batchMax() {
    return BATCH_MAX;
  }

  /** Tells where a queue whose first loop is this one would look. */
  static String place(LoopContext loop) {
    return EpollWatch.isPossible(loop) ? "the event loop's epoll" : "a reaper thread";
  }

  @Override
  public CompletionWatch open(AioEngine queue, LoopContext loop, EventFd signal) {
    Optional<EpollWatch> epoll =
        EpollWatch.open(loop, signal.fd(), () -> queue.poll(loop.completions()));
    return epoll.isPresent() ? new OnLoop(epoll.get()) : new OnThread(queue, signal);
  }

  private record OnLoop(EpollWatch epoll) implements CompletionWatch {
    @Override
    public void expect() {}

    @Override
    public boolean close() {
      return epoll.close();
    }
  }

  private static final class OnThread implements CompletionWatch {
    private final AioEngine queue;
    private final EventFd signal;
    private final Thread thread;
    private volatile boolean stopped;

    OnThread(AioEngine queue, EventFd signal) {
      this.queue = queue;
      this.signal = signal;
      this.thread =
          Thread.ofPlatform().name(queue.threadName("reaper")).daemon(true).start(this::reap);
    }

    private void reap() {
      while (!stopped) {
        if (signal.await() && !stopped) {
          queue.poll();
        }
      }
    }

    @Override
    public void expect() {}

    @Override
    public boolean close() {
      stopped = true;
      signal.signal();
      return Threads.join(thread, TIMEOUT);
    }
  }
}

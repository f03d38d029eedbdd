package io.loopgate.engine.polled;

import io.loopgate.engine.Await;
import io.loopgate.engine.TestLoop;
import io.loopgate.engine.netty.EpollWatch;
import io.loopgate.sys.EventFd;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a loop serves a descriptor that is ready again as soon as it was served. */
final class IoTurns implements AutoCloseable {
  private final EventFd signal = EventFd.create();
  private final AtomicInteger served = new AtomicInteger();
  private final EpollWatch watch;

  private IoTurns(TestLoop loop) {
    watch = EpollWatch.open(loop, signal.fd(), this::serve).orElseThrow();
    signal.signal();
  }

  static IoTurns on(TestLoop loop) {
    return new IoTurns(loop);
  }

  private void serve() {
    served.incrementAndGet();
    signal.signal();
  }

  /** Returns how often it was served. */
  int served() {
    return served.get();
  }

  /** Waits until it was served so many times more. */
  void await(int times) {
    int before = served.get();
    Await.until("served", () -> served.get() >= before + times);
  }

  @Override
  public void close() {
    if (watch.close()) {
      signal.close();
    }
  }
}

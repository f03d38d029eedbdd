package io.loopgate.app;

import io.loopgate.sys.SystemCalls;
import io.vertx.core.transport.Transport;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/**
 * Gets ready, on threads of its own, what a server needs in any case and what takes long, while the
 * command line is still being read: the log, the bindings to the kernel and Netty's native
 * libraries. Who needs them waits for the rest only.
 *
 * <p>The log comes first and alone: while one thread sets it up, SLF4J gives others a stand-in
 * whose level nobody can set.
 */
final class Preload {
  private final CountDownLatch logReady = new CountDownLatch(1);

  private Preload() {}

  static Preload start() {
    Preload preload = new Preload();
    run("kernel", preload::load);
    return preload;
  }

  private void load() {
    try {
      LoggerFactory.getILoggerFactory();
    } finally {
      logReady.countDown();
    }
    run("transport", Preload::loadTransport);
    SystemCalls.instance();
  }

  private static void loadTransport() {
    Transport epoll = Transport.EPOLL;
    if (epoll != null) {
      epoll.available();
    }
  }

  /** Waits until the log is set up. */
  void awaitLog() {
    try {
      logReady.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What goes wrong goes wrong again where it is needed, and is told there. */
  private static void run(String what, Runnable load) {
    Thread.ofPlatform()
        .daemon()
        .name("loopgate-preload-" + what)
        .uncaughtExceptionHandler((thread, failure) -> {})
        .start(load);
  }
}

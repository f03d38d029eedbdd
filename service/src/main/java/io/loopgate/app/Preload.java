package io.loopgate.app;

import io.loopgate.sys.SystemCalls;
import io.vertx.core.transport.Transport;

/**
 * Gets ready, on threads of its own, what a server needs in any case and what takes long, while the
 * command line is still being read: the bindings to the kernel and Netty's native libraries. Who
 * needs them waits for the rest only.
 */
final class Preload {
  private Preload() {}

  static void start() {
    run("kernel", SystemCalls::instance);
    run(
        "transport",
        () -> {
          Transport epoll = Transport.EPOLL;
          if (epoll != null) {
            epoll.available();
          }
        });
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

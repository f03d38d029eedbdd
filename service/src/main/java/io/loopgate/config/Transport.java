package io.loopgate.config;

/** How sockets are served. */
public enum Transport {
  /** The best one that works here. */
  AUTO,
  /** Readiness by epoll. */
  EPOLL,
  /** Completions by io_uring. */
  IO_URING,
  /** The portable one of the Java platform. */
  NIO
}

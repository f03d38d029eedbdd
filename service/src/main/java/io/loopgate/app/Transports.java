package io.loopgate.app;

import io.loopgate.config.Transport;
import io.loopgate.http.ExpressRegistry;
import io.loopgate.http.ExpressTransport;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Chooses how sockets are served, and starts Vert.x with it. */
final class Transports {
  private static final long BLOCKED_LOOP_WARNING_SECONDS = 2;

  /**
   * A transport that works here.
   *
   * @param name what the start-up report calls it
   * @param transport Vert.x's own
   */
  record Choice(String name, io.vertx.core.transport.Transport transport) {
    Vertx vertx(int eventLoops, ExpressRegistry express) {
      VertxOptions options =
          new VertxOptions()
              .setEventLoopPoolSize(eventLoops)
              .setWorkerPoolSize(2)
              .setInternalBlockingPoolSize(2)
              .setMaxEventLoopExecuteTime(BLOCKED_LOOP_WARNING_SECONDS)
              .setMaxEventLoopExecuteTimeUnit(TimeUnit.SECONDS);
      return Vertx.builder()
          .with(options)
          .withTransport(new ExpressTransport(transport, express))
          .build();
    }
  }

  private static final io.vertx.core.transport.@Nullable Transport EPOLL =
      io.vertx.core.transport.Transport.EPOLL;
  private static final io.vertx.core.transport.@Nullable Transport IO_URING =
      io.vertx.core.transport.Transport.IO_URING;

  private Transports() {}

  /** Returns the transport asked for; {@code auto} is epoll where it works, else NIO. */
  static Choice choose(Transport wanted) {
    return switch (wanted) {
      case AUTO -> EPOLL != null && EPOLL.available() ? new Choice("epoll", EPOLL) : nio();
      case NIO -> nio();
      case EPOLL -> required("epoll", EPOLL);
      case IO_URING -> required("io_uring", IO_URING);
    };
  }

  private static Choice nio() {
    return new Choice("nio", io.vertx.core.transport.Transport.NIO);
  }

  private static Choice required(
      String name, io.vertx.core.transport.@Nullable Transport transport) {
    if (transport != null && transport.available()) {
      return new Choice(name, transport);
    }
    String cause =
        transport == null
            ? "its library is missing"
            : String.valueOf(transport.unavailabilityCause());
    throw new StartException(
        "transport "
            + name
            + " is not available: "
            + cause
            + "; take auto, or allow its system calls in the container's seccomp profile");
  }
}

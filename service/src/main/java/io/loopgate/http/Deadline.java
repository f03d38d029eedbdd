package io.loopgate.http;

import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Block-Timeout} of a request: so many milliseconds after which its client wants an
 * answer, whatever became of the work.
 */
final class Deadline {
  static final String FIELD = "Block-Timeout";
  private static final long TIMEOUT_MILLIS_MAX = 24L * 60 * 60 * 1000;

  private Deadline() {}

  /** Returns the milliseconds a request asks for, or 0 if it does not. */
  static long timeoutMillis(Exchange exchange) {
    String field = exchange.header(FIELD);
    if (field == null) {
      return 0;
    }
    long millis = Numbers.parse(field);
    if (millis < 1 || millis > TIMEOUT_MILLIS_MAX) {
      throw ProblemException.badRequest(
          "Block-Timeout \""
              + field
              + "\" is not a number of milliseconds from 1 to "
              + TIMEOUT_MILLIS_MAX);
    }
    return millis;
  }

  /** A deadline that runs; keeps its Vert.x, since commands end outside of all its contexts. */
  record Timer(Vertx vertx, long id) {}

  /**
   * Starts deadlines of a request also where none of its contexts is current; without one Vert.x
   * would take any loop.
   */
  record Clock(ContextInternal context) {
    Timer start(long timeoutMillis, Runnable passed) {
      return new Timer(context.owner(), context.setTimer(timeoutMillis, timer -> passed.run()));
    }
  }

  /** Returns the clock of the request whose context is current. */
  static Clock clock() {
    ContextInternal current = ContextInternal.current();
    if (current == null) {
      throw new IllegalStateException("deadlines start in the context of a request");
    }
    return new Clock(current);
  }

  /** Starts a deadline; in the context of a request. */
  static Timer start(long timeoutMillis, Runnable passed) {
    return clock().start(timeoutMillis, passed);
  }

  static void cancel(@Nullable Timer timer) {
    if (timer != null) {
      timer.vertx.cancelTimer(timer.id);
    }
  }
}

package io.loopgate.admin;

import io.loopgate.telemetry.HttpTelemetry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;

/**
 * Measures by how much an event loop is late, and remembers when it last ran.
 *
 * <p>Each tick arms the next one, rather than a periodic timer: after a standstill a periodic timer
 * fires once for every period it missed, which would count one standstill many times.
 *
 * <p>Ticks happen on the watched loop; {@link #lastTickNanos} and {@link #stop} may be called from
 * every thread.
 */
public final class EventLoopLag {
  private static final long PERIOD_MILLIS = 100;
  private static final long PERIOD_NANOS = PERIOD_MILLIS * 1_000_000;

  private final Vertx vertx;
  private final HttpTelemetry telemetry;
  private volatile long lastTickNanos = System.nanoTime();
  private volatile boolean stopped;

  private EventLoopLag(Vertx vertx, HttpTelemetry telemetry) {
    this.vertx = vertx;
    this.telemetry = telemetry;
  }

  /**
   * Starts measuring the event loop this is called on.
   *
   * @throws IllegalStateException if the caller is not on an event loop
   */
  public static EventLoopLag start(Vertx vertx, HttpTelemetry telemetry) {
    if (!Context.isOnEventLoopThread()) {
      throw new IllegalStateException("not on an event loop: " + Thread.currentThread().getName());
    }
    EventLoopLag lag = new EventLoopLag(vertx, telemetry);
    lag.arm();
    return lag;
  }

  private void arm() {
    lastTickNanos = System.nanoTime();
    var _ = vertx.setTimer(PERIOD_MILLIS, _ -> tick());
  }

  private void tick() {
    if (stopped) {
      return;
    }
    telemetry.loopLagNanos(System.nanoTime() - lastTickNanos - PERIOD_NANOS);
    arm();
  }

  /** Returns when the loop last ran, by {@link System#nanoTime}. */
  public long lastTickNanos() {
    return lastTickNanos;
  }

  /** Ends measuring: the loop is no longer watched. The timer that is armed runs out by itself. */
  public void stop() {
    stopped = true;
  }

  /** Tells whether {@link #stop} was called. */
  public boolean isStopped() {
    return stopped;
  }
}

package io.loopgate.admin;

import io.loopgate.telemetry.HttpTelemetry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Knows every event loop of the process and how long each has stood still. Every method may be
 * called from every thread but {@link #watch}, which belongs on the loop to be watched.
 */
public final class LoopWatch {
  private final List<EventLoopLag> loops = new CopyOnWriteArrayList<>();
  private final LongSupplier nanoClock;

  /** Creates a watch over no loop. */
  public LoopWatch() {
    this(System::nanoTime);
  }

  LoopWatch(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Starts measuring the current event loop and watches it until its handle is stopped. */
  public EventLoopLag watch(Vertx vertx, HttpTelemetry telemetry) {
    EventLoopLag lag = EventLoopLag.start(vertx, telemetry);
    add(lag);
    return lag;
  }

  /** Watches a loop that is measured already, until its handle is stopped. */
  public void add(EventLoopLag lag) {
    loops.removeIf(EventLoopLag::isStopped);
    loops.add(lag);
  }

  /** Returns how many loops are watched. */
  public int size() {
    return (int) loops.stream().filter(lag -> !lag.isStopped()).count();
  }

  /** Returns the longest time a watched loop has not run; zero if none is watched. */
  public Duration longestStandstill() {
    long now = nanoClock.getAsLong();
    long longestNanos = 0;
    for (EventLoopLag lag : loops) {
      if (!lag.isStopped()) {
        longestNanos = Math.max(longestNanos, now - lag.lastTickNanos());
      }
    }
    return Duration.ofNanos(longestNanos);
  }
}

package io.loopgate.bench.http;

import io.loopgate.bench.load.LoopMeter;
import io.loopgate.bench.shape.Wire;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What belongs to one event loop: its lanes, what they do next, and what was counted. Confined to
 * that loop, but for what says otherwise.
 */
final class Home {
  private static final long REOPEN_MILLIS = 100;
  private static final long LOOK_MILLIS = 1000;

  /** A timer of the loop may be late by as much, so nearer times are awaited by looking again. */
  private static final long SPIN_NANOS = 200_000;

  private final EventLoop loop;
  private final Server server;
  private final Wire wire;
  private final Errors errors;
  private final Commands commands;
  private final Payloads payloads;
  private final LoopMeter meter = new LoopMeter();
  private final List<Lane> lanes = new ArrayList<>();
  private final ArrayDeque<Exchange> idle = new ArrayDeque<>();
  private final ArrayDeque<Lane> dirty = new ArrayDeque<>();
  private Pace pace = Pace.AT_ONCE;
  private boolean running;
  private boolean pumping;
  private boolean waking;
  private final Runnable wake = this::woken;
  private int inFlight;
  private Runnable whenIdle = () -> {};

  /**
   * What lanes are opened to.
   *
   * @param endpoint where it is
   * @param sizeBytes how much of it is used
   * @param connector opens the connection of a lane
   * @param timeoutMillis how long an answer may take
   */
  record Server(Endpoint endpoint, long sizeBytes, Connector connector, long timeoutMillis) {}

  /** Opens connections. */
  interface Connector {
    /** Opens one for a lane; tells the home of the lane when that fails. */
    void connect(Lane lane, EventLoop loop);
  }

  Home(
      EventLoop loop,
      Server server,
      Wire wire,
      Optional<BlockModel> model,
      Payloads payloads,
      Errors errors) {
    this.loop = loop;
    this.server = server;
    this.wire = wire;
    this.commands = new Commands(model, wire.whole(), server.sizeBytes());
    this.payloads = payloads;
    this.errors = errors;
  }

  /** Any thread. */
  EventLoop loop() {
    return loop;
  }

  Endpoint endpoint() {
    return server.endpoint();
  }

  Wire wire() {
    return wire;
  }

  Payloads payloads() {
    return payloads;
  }

  LoopMeter meter() {
    return meter;
  }

  /** Before the start. */
  void add(Lane lane) {
    lanes.add(lane);
  }

  int laneCount() {
    return lanes.size();
  }

  /** Opens all lanes and begins. */
  void start(Pace when) {
    pace = when;
    running = true;
    lanes.forEach(lane -> server.connector().connect(lane, loop));
    look();
  }

  /** Begins nothing any more, and tells when all has ended. */
  void stop(Runnable ended) {
    running = false;
    whenIdle = ended;
    tellIfIdle();
  }

  private void tellIfIdle() {
    if (!running && inFlight == 0) {
      lanes.forEach(Lane::close);
      Runnable ended = whenIdle;
      whenIdle = () -> {};
      ended.run();
    }
  }

  /** An exchange of an open lane has nothing to do. */
  void idle(Exchange exchange) {
    idle.add(exchange);
  }

  /** A lane has something to send before the loop goes on. */
  void dirty(Lane lane) {
    dirty.add(lane);
  }

  /** Begins as many commands as there are to begin. */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    while (running && !idle.isEmpty()) {
      long now = System.nanoTime();
      long start = pace.nextNanos(now);
      if (start > now) {
        wakeIn(start - now);
        break;
      }
      pace.begin();
      begin(idle.remove(), start);
    }
    for (Lane lane = dirty.poll(); lane != null; lane = dirty.poll()) {
      lane.flushIfIdle();
    }
    pumping = false;
  }

  private void wakeIn(long nanos) {
    if (waking) {
      return;
    }
    waking = true;
    // A timer that is over at once lets the loop look at its sockets first; a task would not.
    long delay = Math.max(0, nanos - SPIN_NANOS);
    var _ = loop.schedule(wake, delay, TimeUnit.NANOSECONDS);
  }

  private void woken() {
    waking = false;
    pump();
  }

  private void begin(Exchange exchange, long startNanos) {
    commands.next(exchange);
    exchange.startNanos = startNanos;
    inFlight++;
    exchange.lane.send(exchange);
  }

  /** A command has its answer. */
  void completed(Exchange exchange, int status, int wanted) {
    long tookNanos = System.nanoTime() - exchange.startNanos;
    String wrong = commands.judge(exchange, status, wanted);
    if (wrong.isEmpty()) {
      meter.ended(exchange.op, exchange.lengthBytes, tookNanos);
    } else {
      error(exchange, wrong);
    }
    ended(exchange);
    idle(exchange);
    tellIfIdle();
  }

  /** A command came to nothing, and its connection goes on. */
  void failed(Exchange exchange, String reason) {
    error(exchange, reason);
    ended(exchange);
    idle(exchange);
    tellIfIdle();
  }

  private void ended(Exchange exchange) {
    exchange.inFlight = false;
    inFlight--;
  }

  private void error(Exchange exchange, String what) {
    errors.add(exchange.at(server.endpoint().urlOf(wire)) + ": " + what);
  }

  /** A connection is open. */
  void opened(Lane lane) {
    if (!running) {
      lane.close();
    }
  }

  /** A connection broke, or could not be opened. */
  void broken(Lane lane, String reason) {
    boolean any = false;
    for (Exchange exchange : lane.exchanges()) {
      if (exchange.inFlight) {
        any = true;
        error(exchange, reason);
        ended(exchange);
      }
    }
    if (!any && running) {
      errors.add("a connection to " + server.endpoint().url() + ": " + reason);
    }
    reopen(lane);
    tellIfIdle();
  }

  /** A lane needs another connection. */
  void reopen(Lane lane) {
    idle.removeIf(exchange -> exchange.lane.equals(lane));
    if (running) {
      var _ =
          loop.schedule(
              () -> {
                if (running) {
                  server.connector().connect(lane, loop);
                }
              },
              REOPEN_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  /** Gives up lanes that wait too long for an answer. */
  private void look() {
    long latest = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(server.timeoutMillis());
    for (Lane lane : lanes) {
      if (lane.exchanges().stream().anyMatch(each -> each.inFlight && each.sentNanos < latest)) {
        lane.breakOff("no answer within " + server.timeoutMillis() + " ms");
      }
    }
    if (running || inFlight > 0) {
      var _ = loop.schedule(this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}

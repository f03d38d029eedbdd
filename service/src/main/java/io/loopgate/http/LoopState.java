package io.loopgate.http;

import io.loopgate.engine.LoopContext;
import io.loopgate.volume.IoLoop;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;

/**
 * What the requests of one event loop share: slots, buffers, watches, the date. Confined to its
 * loop.
 */
final class LoopState {
  private static final int IDLE_COMMANDS_MAX = 4096;

  /** A body that stands still is soon left to Vert.x, which then waits out the rest of its time. */
  private static final int BODY_SHARE = 8;

  private final DataPlane plane;
  private final IoLoop io;
  private final BufferBudget buffers;
  private final StallWatch stalls;
  private final StallWatch bodies;
  private final ConnectionWatch connections;
  private final OpenStreams streams = new OpenStreams();
  private final ArrayDeque<QueueCommand> idleCommands = new ArrayDeque<>();
  private final RequestHead requestHead = new RequestHead();
  private final ReadHead readHead = new ReadHead();
  private final WriteHead writeHead = new WriteHead();
  private int expressUnderWay;
  private long dateSecond;
  private String date = "";

  LoopState(DataPlane plane, LoopContext context) {
    this.plane = plane;
    this.io =
        new IoLoop(
            context, plane.telemetry().addLoop(context.index(), plane.options().maxLoopCommands()));
    this.buffers =
        new BufferBudget(
            Math.max(1, plane.options().maxBufferBytes() / plane.loops()), plane.telemetry());
    this.stalls = new StallWatch(plane.options().stallTimeout().toNanos());
    this.bodies = new StallWatch(plane.options().stallTimeout().toNanos() / BODY_SHARE);
    this.connections = new ConnectionWatch(plane.options().idleTimeout().toNanos());
  }

  DataPlane plane() {
    return plane;
  }

  IoLoop io() {
    return io;
  }

  BufferBudget buffers() {
    return buffers;
  }

  StallWatch stalls() {
    return stalls;
  }

  ConnectionWatch connections() {
    return connections;
  }

  OpenStreams streams() {
    return streams;
  }

  RequestHead requestHead() {
    return requestHead;
  }

  ReadHead readHead() {
    return readHead;
  }

  WriteHead writeHead() {
    return writeHead;
  }

  /** Counts requests of the express way as they begin and end. */
  void expressUnderWay(int change) {
    expressUnderWay += change;
  }

  /** Returns how many requests of the express way have begun and are not answered. */
  int expressUnderWay() {
    return expressUnderWay;
  }

  /** Returns what watches bodies that have begun on the express way. */
  StallWatch bodies() {
    return bodies;
  }

  /** Returns an idle slot for a command of a queue. */
  QueueCommand takeQueueCommand() {
    QueueCommand idle = idleCommands.poll();
    return idle != null ? idle : new QueueCommand();
  }

  /** Keeps a slot for the next command. */
  void giveQueueCommand(QueueCommand idle) {
    if (idleCommands.size() < IDLE_COMMANDS_MAX) {
      idleCommands.push(idle);
    }
  }

  /** Returns the value of the Date field; made once a second. */
  String date() {
    long second = System.currentTimeMillis() / 1000;
    if (second != dateSecond) {
      dateSecond = second;
      date =
          DateTimeFormatter.RFC_1123_DATE_TIME.format(
              Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC));
      if (date.charAt(6) == ' ') {
        // The formatter writes days below ten with one digit, HTTP with two.
        date = date.substring(0, 5) + "0" + date.substring(5);
      }
    }
    return date;
  }
}

package io.loopgate.http;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Takes the bytes of a queue request apart into commands and starts them, as long as there is room
 * for more. Confined to its loop.
 */
final class QueueIntake {
  private final ArrayDeque<ByteBuf> unread = new ArrayDeque<>();
  private final QueueParser parser = new QueueParser(QueueFrames.MAX_IO_BYTES);
  private final QueueCommands commands;
  private @Nullable QueueCommand current;
  private int payloadMissing;
  private boolean blocked;
  private boolean malformed;

  QueueIntake(QueueCommands commands) {
    this.commands = commands;
  }

  /** Takes bytes; they are read by {@link #advance}. */
  void add(ByteBuf data) {
    unread.add(data);
  }

  /** Goes as far as bytes and room reach. */
  void advance() {
    blocked = false;
    boolean moved = !malformed;
    while (moved) {
      moved = step();
    }
  }

  private boolean step() {
    QueueCommand command = current;
    if (command == null) {
      return readFrame();
    }
    if (!commands.prepare(command)) {
      return block();
    }
    if (payloadMissing > 0) {
      return readPayload(command);
    }
    if (!commands.start(command)) {
      return block();
    }
    current = null;
    return !commands.isVolumeClosed();
  }

  private boolean block() {
    blocked = true;
    return false;
  }

  private boolean readFrame() {
    ByteBuf data = unread.peek();
    if (data == null) {
      return false;
    }
    if (commands.isFull()) {
      return block();
    }
    boolean complete = parser.read(data);
    dropIfRead(data);
    if (!complete) {
      return true;
    }
    if (!parser.isWellFormed()) {
      malformed = true;
      return false;
    }
    QueueCommand command = commands.take(parser);
    payloadMissing = command.followingBytes();
    current = command;
    return true;
  }

  private boolean readPayload(QueueCommand command) {
    ByteBuf data = unread.peek();
    if (data == null) {
      return false;
    }
    int bytes = Math.min(payloadMissing, data.readableBytes());
    command.fill(data, bytes);
    payloadMissing -= bytes;
    dropIfRead(data);
    return true;
  }

  private void dropIfRead(ByteBuf data) {
    if (!data.isReadable()) {
      unread.remove();
    }
  }

  /** Tells whether it could do something with more bytes. */
  boolean isHungry() {
    return !blocked && !malformed && unread.isEmpty();
  }

  /** Tells whether the client began something that it has not sent to its end. */
  boolean isAmidCommand() {
    return parser.isAmidFrame() || current != null;
  }

  /** Tells whether it has read what is no command. */
  boolean isMalformed() {
    return malformed;
  }

  /** Drops what was not started; nothing is read any more. */
  void drop() {
    unread.clear();
    QueueCommand half = current;
    if (half != null) {
      current = null;
      commands.recycle(half);
    }
  }
}

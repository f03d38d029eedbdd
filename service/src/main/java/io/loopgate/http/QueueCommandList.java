package io.loopgate.http;

import org.jspecify.annotations.Nullable;

/**
 * Commands in order, linked through themselves; a command is in one list at a time. Confined to its
 * loop.
 */
final class QueueCommandList {
  private @Nullable QueueCommand first;
  private @Nullable QueueCommand last;

  void add(QueueCommand command) {
    QueueCommand end = last;
    command.before = end;
    command.after = null;
    if (end == null) {
      first = command;
    } else {
      end.after = command;
    }
    last = command;
  }

  void remove(QueueCommand command) {
    QueueCommand left = command.before;
    QueueCommand right = command.after;
    if (left == null) {
      first = right;
    } else {
      left.after = right;
    }
    if (right == null) {
      last = left;
    } else {
      right.before = left;
    }
    command.before = null;
    command.after = null;
  }

  @Nullable QueueCommand first() {
    return first;
  }

  boolean isEmpty() {
    return first == null;
  }
}

package io.loopgate.engine;

/**
 * Holds back the wake-up for what one event loop adds to a queue in one turn: one wakes a thread
 * for all of it. Confined to its loop.
 *
 * <p>After the plug of the block layer, where a task gathers its requests until it would sleep. On
 * one processor a thread that is woken for each command takes the processor away from the loop each
 * time, runs one short command and sleeps again: 16 connections that write 4 KiB each came to 0.8
 * of this. A thread that is awake does not wait for the wake-up.
 */
final class Plug {
  /** So many commands are worth a wake-up in the middle of a turn, as others can run meanwhile. */
  private static final int HELD_MAX = 16;

  private final LoopContext loop;
  private final CommandQueue queue;
  private final Runnable unplug = this::unplug;
  private boolean scheduled;
  private int held;

  Plug(LoopContext loop, CommandQueue queue) {
    this.loop = loop;
    this.queue = queue;
  }

  /** Sees to it that a command which was added just now is looked for before the turn ends. */
  void added() {
    held++;
    if (held >= HELD_MAX) {
      held = 0;
      queue.wake();
    } else if (!scheduled) {
      scheduled = true;
      loop.execute(unplug);
    }
  }

  private void unplug() {
    scheduled = false;
    held = 0;
    if (queue.size() > 0) {
      queue.wake();
    }
  }
}

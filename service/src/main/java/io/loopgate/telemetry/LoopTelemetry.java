package io.loopgate.telemetry;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The commands of one event loop, over all volumes. Written by the loop alone, read by every
 * thread.
 */
public final class LoopTelemetry {
  private final int loop;
  private final int commandsMax;
  private final AtomicInteger commands = new AtomicInteger();
  private final LongAdder refused = new LongAdder();

  /** Creates the counters of a loop that may have so many commands in flight. */
  public LoopTelemetry(int loop, int commandsMax) {
    this.loop = loop;
    this.commandsMax = commandsMax;
  }

  /** Returns the number of the loop, counted from 0. */
  public int loop() {
    return loop;
  }

  /** Returns how many commands may be in flight when one more begins. */
  public int commandsMax() {
    return commandsMax;
  }

  /** Tells how many commands are in flight now. */
  public void commands(int now) {
    // One writer, and readers that need no order with anything else: no fence per command.
    commands.setOpaque(now);
  }

  /** Counts a command that was refused since as many as may be were in flight. */
  public void commandRefused() {
    refused.increment();
  }

  /** Returns how many commands are in flight now. */
  public int commands() {
    return commands.getOpaque();
  }

  /** Returns how many commands were refused. */
  public long commandsRefused() {
    return refused.sum();
  }
}

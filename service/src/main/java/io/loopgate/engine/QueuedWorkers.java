package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import java.time.Duration;

/**
 * A fixed number of platform threads that take all commands from one queue and run them to their
 * end, strictly first in, first out.
 *
 * <p>Has no lanes, as the kernel's one thread had none: a flush holds up the reads behind it.
 * {@link LanedEngine} keeps them apart.
 */
public final class QueuedWorkers implements LoopEngine {
  private final EngineCommands commands;
  private final ThreadLane lane;

  /** Creates an engine of {@code threadCount} threads, each started at first need. */
  public QueuedWorkers(String engine, int threadCount, EngineEnvironment environment) {
    this.commands = new EngineCommands(environment, threadCount);
    this.lane =
        new ThreadLane(
            "loopgate-" + engine + "-" + environment.volume(), threadCount, environment, commands);
  }

  @Override
  public boolean submit(BlockRequest request) {
    return commands.submit(request, lane);
  }

  @Override
  public int inFlight() {
    return commands.inFlight();
  }

  @Override
  public boolean drain(Duration timeout) {
    return commands.drain(timeout);
  }

  @Override
  public void close() {
    commands.close(lane);
  }
}

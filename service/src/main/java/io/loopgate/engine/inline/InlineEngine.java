package io.loopgate.engine.inline;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandRunner;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.InFlight;
import io.loopgate.engine.LoopEngine;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;

/** Runs each command at once, on the thread that submits it; see {@link InlineProvider}. */
final class InlineEngine implements LoopEngine {
  private final Backing backing;
  private final VolumeTelemetry telemetry;
  private final InFlight inFlight;

  InlineEngine(EngineEnvironment environment) {
    this.backing = environment.backing();
    this.telemetry = environment.telemetry();
    this.inFlight = new InFlight(environment.queueCapacity());
  }

  @Override
  public boolean submit(BlockRequest request) {
    if (!inFlight.tryEnter()) {
      return false;
    }
    long startedNanos = System.nanoTime();
    long result = -Errno.EIO;
    try {
      result =
          request.isExpired(startedNanos) ? -Errno.DEADLINE : CommandRunner.run(backing, request);
      telemetry.serviceNanos(System.nanoTime() - startedNanos);
    } finally {
      // Left before the completion runs, which may well submit the next command from inside.
      inFlight.leave();
      request.completeHere(result);
    }
    return true;
  }

  @Override
  public int inFlight() {
    return inFlight.count();
  }

  @Override
  public boolean drain(Duration timeout) {
    return inFlight.awaitNone(timeout);
  }

  @Override
  public void close() {
    inFlight.close();
  }
}

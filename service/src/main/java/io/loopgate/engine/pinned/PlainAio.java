package io.loopgate.engine.pinned;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.aio.AioAvailability;
import io.loopgate.engine.aio.AioProvider;
import io.loopgate.sys.AsyncIo;

/** Native asynchronous I/O, submitted plainly; a queue for each event loop. */
final class PlainAio implements TransferEngine {
  @Override
  public Availability probe(EngineEnvironment environment) {
    return AioAvailability.probe("pinned", environment, AsyncIo::open);
  }

  @Override
  public int defaultQueues(EngineEnvironment environment) {
    return environment.loops().size();
  }

  @Override
  public LoopEngine open(EngineEnvironment environment) {
    return AioProvider.openPlain(environment);
  }
}

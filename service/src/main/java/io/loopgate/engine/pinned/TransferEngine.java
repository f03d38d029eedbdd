package io.loopgate.engine.pinned;

import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.LoopEngine;

/** What moves the bytes of a pinned file: an engine that submits plainly and asynchronously. */
interface TransferEngine {
  /** Tells whether it can run here, by trying. */
  Availability probe(EngineEnvironment environment);

  /** Returns how many queues suit it. */
  int defaultQueues(EngineEnvironment environment);

  /** Opens it. */
  LoopEngine open(EngineEnvironment environment);
}

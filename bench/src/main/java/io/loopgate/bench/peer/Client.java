package io.loopgate.bench.peer;

import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.shape.Workload;
import java.util.Optional;

/** What loads a server. For one control thread. */
interface Client {
  /** Returns why it cannot run a workload, if so. */
  Optional<String> unfit(Workload workload);

  /** Loads a server once. */
  Outcome run(Workload workload, RunningPeer server, Phases phases, long seed, Stop stop);
}

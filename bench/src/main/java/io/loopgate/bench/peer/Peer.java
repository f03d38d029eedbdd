package io.loopgate.bench.peer;

import io.loopgate.bench.shape.Workload;
import java.nio.file.Path;
import java.util.Optional;

/** A kind of server, with its options. For one control thread. */
interface Peer {
  /** Returns the name that users give and reports show. */
  String name();

  /** Returns the program that has to be installed, if there is one. */
  Optional<String> program();

  /** Tells whether it gets faster for a while after its start. */
  default boolean warmsUpSlowly() {
    return false;
  }

  /** Returns the workload as this one runs it. */
  default Workload of(Workload workload) {
    return workload;
  }

  /** Returns why this kind of server cannot run a workload, if so. */
  Optional<String> unfit(Workload workload);

  /**
   * Starts one over a file, and waits until it answers.
   *
   * @throws PeerException if it does not come up
   */
  RunningPeer start(Path file, Workload workload, Place place);
}

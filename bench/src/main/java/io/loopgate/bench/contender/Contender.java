package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.shape.Workload;

/** Something that can run a workload. For one control thread. */
public interface Contender extends AutoCloseable {
  /** Returns the name that users give and reports show. */
  String name();

  /** Returns the workload as this one has it: the same, unless its files lie otherwise. */
  default Workload of(Workload workload) {
    return workload;
  }

  /** Tells whether it gets faster for a while after its start, as what a JVM compiles does. */
  default boolean warmsUpSlowly() {
    return true;
  }

  /**
   * Runs a workload once.
   *
   * @param prepared the target, fresh or in the state the last run left it in
   * @param seed makes the random numbers differ from round to round
   */
  Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop);

  /** Ends what it keeps from one run of a workload to the next. */
  @Override
  default void close() {}
}

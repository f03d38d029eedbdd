package io.loopgate.bench.peer;

import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.stats.ServerUse;

/** The processor time of a client that is a program of its own, from now until it has ended. */
final class ChildCpu {
  private static final double PERCENT = 100;

  private final int processors;
  private final double secondsBefore = ProcessCpu.ofEndedChildrenSeconds();

  /**
   * Begins to look.
   *
   * @param processors how many the client has
   */
  ChildCpu(int processors) {
    this.processors = processors;
  }

  /** Returns what client and server took, after the client has ended. */
  ServerUse use(double seconds, ProcessHandle server) {
    double cpuSeconds = ProcessCpu.ofEndedChildrenSeconds() - secondsBefore;
    return new ServerUse(
        ProcessCpu.residentMib(server), PERCENT * cpuSeconds / seconds / processors);
  }
}

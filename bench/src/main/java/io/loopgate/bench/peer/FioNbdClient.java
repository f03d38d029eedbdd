package io.loopgate.bench.peer;

import io.loopgate.bench.contender.Fio;
import io.loopgate.bench.contender.FioCommand;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** fio's engine for NBD: a job for each connection. A durable write is a write and its flush. */
final class FioNbdClient implements Client {
  private final int processors;

  /**
   * Creates one.
   *
   * @param processors how many fio has
   */
  FioNbdClient(int processors) {
    this.processors = processors;
  }

  @Override
  public Optional<String> unfit(Workload workload) {
    return Optional.empty();
  }

  @Override
  public Outcome run(Workload workload, RunningPeer server, Phases phases, long seed, Stop stop) {
    if (!(workload.target() instanceof Target.Image image)) {
      return new Outcome.Unavailable("servers need one file");
    }
    boolean durable = isDurable(workload);
    // A ramp of fio's would be in the processor time and not in the count.
    Phases measured = new Phases(Duration.ZERO, phases.measured());
    List<String> command =
        FioCommand.nbd(server.url(), image.sizeBytes(), workload.access(), measured);
    if (durable) {
      command.add("--fsync=1");
    }
    ProcessHandle process = server.process().handle();
    CpuUse serverBefore = ProcessCpu.of(process);
    ChildCpu client = new ChildCpu(processors);
    Outcome outcome = Fio.run(command, stop, "");
    if (!(outcome instanceof Outcome.Measured(var result, String how, String nowait))) {
      return outcome;
    }
    CpuUse cpu = ProcessCpu.of(process).since(serverBefore);
    return new Outcome.Measured(
        // What fio times is the write without its flush.
        (durable ? result.withoutLatency() : result)
            .withServer(cpu, client.use(result.seconds(), process)),
        how,
        nowait);
  }

  private static boolean isDurable(Workload workload) {
    return workload.access().rw().writes() && workload.wire().orElseThrow().durable();
  }
}

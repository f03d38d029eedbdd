package io.loopgate.bench.peer;

import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.http.Endpoint;
import io.loopgate.bench.http.HttpRun;
import io.loopgate.bench.machine.ProcessCpu;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import java.util.Optional;
import java.util.function.Consumer;

/** The load generator of this build, in this process. */
final class OwnClient implements Client {
  private final int loops;
  private final Consumer<String> progress;

  OwnClient(int loops, Consumer<String> progress) {
    this.loops = loops;
    this.progress = progress;
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
    ProcessHandle process = server.process().handle();
    HttpRun run =
        new HttpRun(
            () -> ProcessCpu.of(process), () -> ProcessCpu.residentMib(process), progress, loops);
    return run.run(
        workload,
        Endpoint.parse(server.url()),
        image.sizeBytes(),
        Optional.empty(),
        phases,
        seed,
        stop,
        false);
  }
}

package io.loopgate.bench.http;

import io.loopgate.bench.contender.Contender;
import io.loopgate.bench.contender.Outcome;
import io.loopgate.bench.contender.Phases;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A server that runs already, wherever it is. */
public final class HttpContender implements Contender {
  private final Endpoint endpoint;
  private final int loops;
  private final Consumer<String> progress;
  private final Optional<Verification> verification;
  private boolean filled;

  /**
   * Creates one.
   *
   * @param loops how many event loops load it at most
   * @param progress is told how a long run goes
   * @param verification what looks at the bytes, closed with this
   */
  public HttpContender(
      Endpoint endpoint,
      int loops,
      Consumer<String> progress,
      Optional<Verification> verification) {
    this.endpoint = endpoint;
    this.loops = loops;
    this.progress = progress;
    this.verification = verification;
  }

  @Override
  public String name() {
    return endpoint.authority();
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    if (!(workload.target() instanceof Target.Remote remote)) {
      return new Outcome.Unavailable("the bytes are at " + endpoint.url());
    }
    HttpRun run = new HttpRun(() -> CpuUse.NOT_SEEN, () -> Double.NaN, progress, loops);
    try {
      fill();
      Outcome outcome =
          run.run(workload, endpoint, remote.sizeBytes(), verification, phases, seed, stop, true);
      return checked(outcome, stop);
    } catch (IOException e) {
      return new Outcome.Failed("cannot verify " + endpoint.url() + ": " + e.getMessage());
    }
  }

  private void fill() throws IOException {
    if (verification.isPresent() && !filled) {
      progress.accept("  writes all blocks first, to know them");
      verification.get().fill();
      filled = true;
    }
  }

  private Outcome checked(Outcome outcome, Stop stop) throws IOException {
    if (verification.isEmpty()
        || stop.isRequested()
        || !(outcome instanceof Outcome.Measured measured)) {
      return outcome;
    }
    long wrong = verification.get().check();
    if (wrong > 0) {
      return new Outcome.Failed(
          wrong + " blocks are not what was acknowledged", Optional.of(measured.measurement()));
    }
    return new Outcome.Measured(
        measured.measurement(), "every block is what was acknowledged", measured.nowait());
  }

  @Override
  public void close() {
    verification.ifPresent(Verification::close);
  }
}

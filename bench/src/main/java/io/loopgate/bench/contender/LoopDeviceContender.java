package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.machine.MachineCpu;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Workload;
import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * {@code loopdev:direct} and {@code loopdev:buffered}: the kernel's own loop driver over the same
 * file, with fio on top. Attached anew for every run.
 *
 * <p>Threads of the kernel do the work, so processor time is that of the whole machine, fio's part
 * included.
 */
final class LoopDeviceContender implements Contender {
  /** The part of a run in which processors are watched: after its start and before its end. */
  private static final double WATCH_FROM = 0.35;

  private static final double WATCH_FOR = 0.55;

  private final boolean direct;

  LoopDeviceContender(boolean direct) {
    this.direct = direct;
  }

  @Override
  public String name() {
    return direct ? "loopdev:direct" : "loopdev:buffered";
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    if (prepared.files().size() != 1) {
      return new Outcome.Unavailable(
          "a loop device needs one file, and this is " + workload.target().text());
    }
    Path file = prepared.files().getFirst();
    try (LoopDevice device = LoopDevice.attach(file, direct)) {
      return run(device, workload.access(), phases, stop);
    } catch (IOException e) {
      return new Outcome.Unavailable("no loop device: " + e.getMessage() + " (needs root)");
    }
  }

  private Outcome run(LoopDevice device, Access access, Phases phases, Stop stop)
      throws IOException {
    String engine = access.depth() > 1 ? "libaio" : "psync";
    String note =
        "fio's "
            + engine
            + " on the kernel's loop device, "
            + (direct ? "--direct-io=on" : "buffered")
            + "; processor time is that of the whole machine";
    long nanos = phases.measured().toNanos();
    MachineCpu.Watch watch =
        new MachineCpu.Watch(
            phases.ramp().plusNanos((long) (nanos * WATCH_FROM)),
            Duration.ofNanos((long) (nanos * WATCH_FOR)));
    Outcome outcome =
        Fio.run(engine, device.path(), device.sizeBytes(), access, phases, stop, note);
    if (outcome instanceof Outcome.Measured(Measurement measurement, String _, String _)) {
      Optional<CpuUse> cpu = watch.over(measurement.seconds());
      if (cpu.isPresent()) {
        return new Outcome.Measured(measurement.withCpu(cpu.get()), note, "");
      }
    }
    return outcome;
  }
}

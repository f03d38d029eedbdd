package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code fdatasync:1}: fio's psync, one writer, each write followed by {@code fdatasync}. What one
 * can have of durable writes who shares no flush.
 */
public final class FdatasyncContender implements Contender {
  /** The name that users give and reports show. */
  public static final String NAME = "fdatasync:1";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean warmsUpSlowly() {
    return false;
  }

  @Override
  public Workload of(Workload workload) {
    if (workload.access().rw() != Rw.RANDWRITE) {
      throw new IllegalArgumentException(NAME + " is for random writes");
    }
    return new Workload(
        workload.name(), workload.target(), workload.access().over(1, 1), workload.wire());
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    Path file = prepared.files().getFirst();
    Access access = workload.access();
    try {
      List<String> command = FioCommand.of("psync", file, Files.size(file), access, phases);
      command.add("--fdatasync=1");
      Outcome outcome =
          Fio.run(
              command,
              stop,
              "fio's psync on the file, one writer, fdatasync after each write;"
                  + " processor time is that of its job");
      // What fio times is the write without its flush.
      return outcome instanceof Outcome.Measured(var measurement, String how, String nowait)
          ? new Outcome.Measured(measurement.withoutLatency(), how, nowait)
          : outcome;
    } catch (IOException e) {
      return new Outcome.Failed("cannot look at " + file + ": " + e.getMessage());
    }
  }
}

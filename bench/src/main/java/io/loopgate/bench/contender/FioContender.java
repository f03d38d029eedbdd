package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.files.Prepared;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code fio:ENGINE}: fio on the file itself, which is as near to the raw disk as a file gets. */
final class FioContender implements Contender {
  private final String engine;

  FioContender(String engine) {
    this.engine = engine;
  }

  @Override
  public String name() {
    return "fio:" + engine;
  }

  /** Of a server's connections one job with as many commands under way is left. */
  @Override
  public Workload of(Workload workload) {
    return workload.wire().isEmpty()
        ? workload
        : new Workload(
            workload.name(),
            workload.target(),
            workload.access().over(1, workload.access().commandsInFlight()),
            workload.wire());
  }

  @Override
  public boolean warmsUpSlowly() {
    return false;
  }

  @Override
  public Outcome run(Workload workload, Prepared prepared, Phases phases, long seed, Stop stop) {
    if (prepared.files().size() != 1) {
      return new Outcome.Unavailable("fio needs one file, and this is " + workload.target().text());
    }
    Path file = prepared.files().getFirst();
    try {
      return Fio.run(
          engine,
          file,
          Files.size(file),
          workload.access(),
          phases,
          stop,
          "fio's " + engine + " on the file; processor time is that of its jobs");
    } catch (IOException e) {
      return new Outcome.Failed("cannot look at " + file + ": " + e.getMessage());
    }
  }
}

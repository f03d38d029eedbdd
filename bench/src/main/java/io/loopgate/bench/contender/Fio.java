package io.loopgate.bench.contender;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.Tool;
import io.loopgate.bench.shape.Access;
import java.nio.file.Path;
import java.util.List;

/** Runs fio once. For one control thread. */
public final class Fio {
  private static final int NO_SUCH_PROGRAM = 127;

  private Fio() {}

  /** Runs fio on a file or block device of a size. */
  static Outcome run(
      String engine,
      Path file,
      long sizeBytes,
      Access access,
      Phases phases,
      Stop stop,
      String note) {
    if (engine.equals("psync") && access.depth() > 1) {
      return new Outcome.Unavailable(
          "psync has one command in flight, and this shape wants " + access.depth());
    }
    return run(FioCommand.of(engine, file, sizeBytes, access, phases), stop, note);
  }

  /** Runs a command of fio that prints {@code json+}. */
  public static Outcome run(List<String> command, Stop stop, String note) {
    Tool.Result result = Tool.run(command, stop);
    if (stop.isRequested()) {
      return new Outcome.Interrupted();
    }
    if (result.code() == NO_SUCH_PROGRAM) {
      return new Outcome.Unavailable("there is no fio here (package fio)");
    }
    if (result.code() != 0) {
      return new Outcome.Failed("fio: " + result.firstErrorLine());
    }
    try {
      return new Outcome.Measured(FioJson.parse(result.out()), note, "");
    } catch (IllegalArgumentException e) {
      return new Outcome.Failed(String.valueOf(e.getMessage()));
    }
  }
}

package io.loopgate.bench.contender;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The command line that makes fio do what the jobs here do. */
final class FioCommand {
  private FioCommand() {}

  /**
   * Returns the command.
   *
   * @param engine fio's I/O engine
   * @param file a file or block device
   * @param sizeBytes how large it is
   */
  static List<String> of(String engine, Path file, long sizeBytes, Access access, Phases phases) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "fio",
                "--name=bench",
                "--filename=" + file,
                "--allow_file_create=0",
                "--ioengine=" + engine,
                "--rw=" + access.rw().word(),
                "--rwmixread=" + access.readPercent(),
                "--iodepth=" + access.depth(),
                "--numjobs=" + access.jobs(),
                "--direct=" + (access.direct() ? 1 : 0),
                // A cache that is to be hot must not be dropped at the start.
                "--invalidate=" + (access.cache() == Cache.HOT ? 0 : 1),
                "--time_based",
                "--runtime=" + millis(phases.measured()),
                "--norandommap",
                "--randrepeat=0",
                "--scramble_buffers=0",
                "--group_reporting",
                "--lat_percentiles=1",
                "--clat_percentiles=0",
                "--output-format=json+"));
    if (!phases.ramp().isZero()) {
      command.add("--ramp_time=" + millis(phases.ramp()));
    }
    if (access.blockBytesMin() == access.blockBytesMax()) {
      command.add("--bs=" + access.blockBytesMin());
    } else {
      command.add("--bsrange=" + access.blockBytesMin() + "-" + access.blockBytesMax());
    }
    if (access.disjoint()) {
      long part = sizeBytes / access.jobs() / access.blockBytesMin() * access.blockBytesMin();
      command.add("--size=" + part);
      command.add("--offset_increment=" + part);
    } else {
      command.add("--size=" + sizeBytes);
    }
    return command;
  }

  private static String millis(Duration time) {
    return time.toMillis() + "ms";
  }
}

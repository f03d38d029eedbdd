package io.loopgate.bench.contender;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The command line that makes fio do what the jobs here do. */
public final class FioCommand {
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
        begin(
            "--filename=" + file,
            "--allow_file_create=0",
            "--ioengine=" + engine,
            "--direct=" + (access.direct() ? 1 : 0),
            // A cache that is to be hot must not be dropped at the start.
            "--invalidate=" + (access.cache() == Cache.HOT ? 0 : 1));
    add(command, sizeBytes, access, phases);
    return command;
  }

  /**
   * Returns the command for a server of NBD: each job has a connection of its own.
   *
   * @param uri where the server is
   * @param sizeBytes how large its export is
   */
  public static List<String> nbd(String uri, long sizeBytes, Access access, Phases phases) {
    List<String> command = begin("--ioengine=nbd", "--uri=" + uri, "--thread");
    add(command, sizeBytes, access, phases);
    return command;
  }

  private static List<String> begin(String... target) {
    List<String> command = new ArrayList<>(List.of("fio", "--name=bench"));
    command.addAll(List.of(target));
    return command;
  }

  private static void add(List<String> command, long sizeBytes, Access access, Phases phases) {
    command.addAll(
        List.of(
            "--rw=" + access.rw().word(),
            "--rwmixread=" + access.readPercent(),
            "--iodepth=" + access.depth(),
            "--numjobs=" + access.jobs(),
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
  }

  private static String millis(Duration time) {
    return time.toMillis() + "ms";
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Fill;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Shapes;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import io.loopgate.config.Units;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What to measure: named shapes, or one described by its parts. */
final class ShapeFlags {
  @Option(
      names = "--shape",
      paramLabel = "NAME",
      split = ",",
      description =
          "Named shapes: psync12, libaio12, randread128, sequential4, livecd, sparsewrite,"
              + " preallocwrite, hot1, writers; or one of a series, such as livecd-16. Without it,"
              + " the options below describe one shape.")
  List<String> shapes = new ArrayList<>();

  @Option(
      names = "--rw",
      paramLabel = "RW",
      description = "read, write, randread, randwrite, rw or randrw (default: ${DEFAULT-VALUE}).")
  String rw = "randread";

  @Option(
      names = "--bs",
      paramLabel = "SIZE",
      description = "Length of a command (default: ${DEFAULT-VALUE}).")
  String blockSize = "4KiB";

  @Option(
      names = "--iodepth",
      paramLabel = "N",
      description = "Commands each job keeps in flight (default: ${DEFAULT-VALUE}).")
  int depth = 16;

  @Option(names = "--numjobs", paramLabel = "N", description = "Jobs (default: ${DEFAULT-VALUE}).")
  int jobs = 1;

  @Option(
      names = "--direct",
      paramLabel = "on|off",
      description = "Whether to go past the page cache (default: ${DEFAULT-VALUE}).")
  String direct = "off";

  @Option(
      names = "--cache",
      paramLabel = "hot|cold",
      description = "What the page cache holds at the start (default: ${DEFAULT-VALUE}).")
  String cache = "hot";

  @Option(
      names = "--fill",
      paramLabel = "written|sparse",
      description = "What the file holds at the start (default: ${DEFAULT-VALUE}).")
  String fill = "written";

  @Option(
      names = "--backing",
      paramLabel = "KIND",
      description = "file, ram, null or linear, which is three files (default: ${DEFAULT-VALUE}).")
  String backing = "file";

  List<Workload> workloads(long sizeBytes) {
    if (shapes.isEmpty()) {
      return List.of(described(sizeBytes));
    }
    Shapes named = new Shapes(sizeBytes);
    return shapes.stream().flatMap(shape -> named.named(shape).stream()).toList();
  }

  private Workload described(long sizeBytes) {
    Access access =
        Access.of(
            Rw.parse(rw),
            Math.toIntExact(Math.min(Integer.MAX_VALUE, Units.parseBytes(blockSize))),
            depth,
            jobs,
            either("direct", direct, "on", "off"),
            either("cache", cache, "hot", "cold") ? Cache.HOT : Cache.COLD);
    return new Workload("custom", target(sizeBytes), access);
  }

  private Target target(long sizeBytes) {
    return switch (backing) {
      case "file" ->
          either("fill", fill, "written", "sparse")
              ? new Target.Image(sizeBytes, Fill.WRITTEN, false)
              : new Target.Image(sizeBytes, Fill.SPARSE, true);
      case "ram" -> new Target.Ram(sizeBytes);
      case "null" -> new Target.Nothing(sizeBytes);
      case "linear" -> Shapes.linear(sizeBytes);
      default ->
          throw new IllegalArgumentException(
              "backing is one of file, ram, null, linear, not \"" + backing + "\"");
    };
  }

  private static boolean either(String name, String value, String yes, String no) {
    if (value.equals(yes) || value.equals(no)) {
      return value.equals(yes);
    }
    throw new IllegalArgumentException(
        name + " is " + yes + " or " + no + ", not \"" + value + "\"");
  }
}

package io.loopgate.bench.app;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Wire;
import io.loopgate.bench.shape.Workload;
import io.loopgate.config.Units;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which requests a server gets. */
final class HttpFlags {
  private static final int WHOLE_BLOCK_BYTES = 1 << 20;

  @Option(
      names = {"--rw", "--pattern"},
      paramLabel = "RW",
      description = "read, write, randread, randwrite, rw or randrw (default: ${DEFAULT-VALUE}).")
  private String rw = "randread";

  @Option(
      names = "--mix",
      paramLabel = "PERCENT",
      description = "Reads in a hundred commands of rw and randrw (default: ${DEFAULT-VALUE}).")
  private int readPercent = 50;

  @Option(
      names = "--bs",
      paramLabel = "SIZE",
      description = "Length of a command (default: ${DEFAULT-VALUE}).")
  private String blockSize = "4KiB";

  @Option(
      names = "--whole",
      description = "Read the whole volume with each request, which says nothing of a range.")
  private boolean whole;

  @Option(
      names = "--connections",
      paramLabel = "N",
      description = "How many connections there are (default: ${DEFAULT-VALUE}).")
  private int connections = 16;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description =
          "Commands each connection has under way, with h2 and queue (default: ${DEFAULT-VALUE}).")
  private int depth = 1;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description = "h1, h2 or queue (default: ${DEFAULT-VALUE}).")
  private String protocol = "h1";

  @Option(
      names = "--flush",
      paramLabel = "MODE",
      description =
          "durable: a write that is acknowledged is on stable media; or writeback (default:"
              + " ${DEFAULT-VALUE}).")
  private String flush = "durable";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Commands that begin each second, whatever became of those before; latencies count from"
              + " when they were meant to begin (default: the next one begins when one has ended).")
  private double rate;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "How much of the volume is used, from its start (default: all).")
  private String size = "";

  /**
   * Returns how much is used.
   *
   * @throws IllegalArgumentException if there is not as much
   */
  long sizeBytes(long volumeBytes) {
    long wanted = size.isEmpty() ? volumeBytes : Units.parseBytes(size);
    if (wanted < 1 || wanted > volumeBytes) {
      throw new IllegalArgumentException(
          "the volume has " + volumeBytes + " bytes, and size says " + wanted);
    }
    return wanted;
  }

  Access access() {
    return Access.of(
            whole ? Rw.READ : Rw.parse(rw),
            whole
                ? WHOLE_BLOCK_BYTES
                : Math.toIntExact(Math.min(Integer.MAX_VALUE, Units.parseBytes(blockSize))),
            depth,
            connections,
            false,
            Cache.HOT)
        .mixed(readPercent);
  }

  Wire wire() {
    boolean durable =
        switch (flush) {
          case "durable" -> true;
          case "writeback" -> false;
          default ->
              throw new IllegalArgumentException(
                  "flush is durable or writeback, not \"" + flush + "\"");
        };
    return new Wire(Protocol.parse(protocol), durable, rate, whole);
  }

  Workload workload(String url, long sizeBytes) {
    return new Workload("http", new Target.Remote(url, sizeBytes), access(), Optional.of(wire()));
  }
}

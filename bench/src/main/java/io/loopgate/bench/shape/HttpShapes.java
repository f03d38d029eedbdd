package io.loopgate.bench.shape;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The named shapes for servers, each with those that are compared by it. */
public final class HttpShapes {
  private static final int MIB = 1 << 20;
  private static final int PAGE = 4 << 10;
  private static final String LOOPGATE = "loopgate";
  private static final String NGINX = "nginx";
  private static final String NGINX_THREADS = "nginx/sendfile=off/aio=threads";

  private static final String RATE = "get4k-rate";
  private static final double PEAK_SHARE = 0.7;

  private static final List<String> READERS = List.of(NGINX, NGINX_THREADS, LOOPGATE);

  /** The one connection of nbdkit's is its best; the others have as many as the shape says. */
  private static final List<String> WRITERS =
      List.of("nbdkit", "nbdkit/connections=1", "qemu-nbd/connections=1", LOOPGATE);

  private static final List<String> QUEUES = List.of("nbdkit", "qemu-nbd", LOOPGATE);

  private final Catalogue<HttpShape> catalogue = new Catalogue<>(shape -> shape.workload().name());
  private final Target target;

  /**
   * A shape.
   *
   * @param workload what is run
   * @param contenders those compared unless others are named; the first is the baseline
   * @param peakShare which share of nginx's own rate commands begin at; 0: as fast as they are
   *     answered
   */
  public record HttpShape(Workload workload, List<String> contenders, double peakShare) {
    /** Copies the list. */
    public HttpShape {
      contenders = List.copyOf(contenders);
    }

    /** Returns what tells the rate that a share is of. */
    public Workload peak() {
      return new Workload(
          workload.name() + "-peak", workload.target(), workload.access(), workload.wire());
    }

    /** Returns the same with commands that begin at a rate. */
    public HttpShape at(double ratePerSecond) {
      Wire wire = workload.wire().orElseThrow().at(ratePerSecond);
      return new HttpShape(
          new Workload(workload.name(), workload.target(), workload.access(), Optional.of(wire)),
          contenders,
          0);
    }
  }

  /** Lays out the shapes over one file of this size. */
  public HttpShapes(long sizeBytes) {
    this.target = new Target.Image(sizeBytes, Fill.WRITTEN, false);
    catalogue.add(
        "get4k",
        IntStream.of(1, 16, 64)
            .mapToObj(
                connections ->
                    shape(
                        "get4k-" + connections,
                        hot(Rw.RANDREAD, PAGE, 1, connections),
                        h1(false),
                        READERS))
            .toList());
    add("get1m", hot(Rw.RANDREAD, MIB, 1, 16), h1(false), READERS);
    add("getall", hot(Rw.READ, MIB, 1, 1), new Wire(Protocol.H1, false, 0, true), READERS);
    List<String> cold = List.of("fio:io_uring", LOOPGATE, "nginx/sendfile=off/aio=threads");
    add(
        "get4k-cold-direct",
        Access.of(Rw.RANDREAD, PAGE, 1, 64, true, Cache.COLD),
        h1(false),
        cold);
    add(
        "get4k-cold-direct-128",
        Access.of(Rw.RANDREAD, PAGE, 1, 128, true, Cache.COLD),
        h1(false),
        cold);
    add("put4k-writeback", hot(Rw.RANDWRITE, PAGE, 1, 16), h1(false), WRITERS);
    add(
        "put4k-durable",
        hot(Rw.RANDWRITE, PAGE, 1, 64),
        h1(true),
        List.of("fdatasync:1", "nbdkit", "qemu-nbd", LOOPGATE, LOOPGATE + "/direct=on"));
    add("queue-read16", hot(Rw.RANDREAD, PAGE, 16, 1), queue(), QUEUES);
    add("queue-write16", hot(Rw.RANDWRITE, PAGE, 16, 1), queue(), QUEUES);
    add("queue-read1", hot(Rw.RANDREAD, PAGE, 1, 1), queue(), QUEUES);
    catalogue.add(
        RATE,
        List.of(
            new HttpShape(
                workload(RATE, hot(Rw.RANDREAD, PAGE, 1, 64), h1(false)),
                List.of(NGINX, LOOPGATE),
                PEAK_SHARE)));
  }

  private static Wire queue() {
    return Wire.closed(Protocol.QUEUE, false);
  }

  private static Access hot(Rw rw, int blockBytes, int depth, int connections) {
    return Access.of(rw, blockBytes, depth, connections, false, Cache.HOT);
  }

  private static Wire h1(boolean durable) {
    return Wire.closed(Protocol.H1, durable);
  }

  private HttpShape shape(String name, Access access, Wire wire, List<String> contenders) {
    return new HttpShape(workload(name, access, wire), contenders, 0);
  }

  private Workload workload(String name, Access access, Wire wire) {
    return new Workload(name, target, access, Optional.of(wire));
  }

  private void add(String name, Access access, Wire wire, List<String> contenders) {
    catalogue.add(shape(name, access, wire, contenders));
  }

  /** Returns the names. */
  public List<String> names() {
    return catalogue.names();
  }

  /**
   * Returns what a name stands for; some are a series.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  public List<HttpShape> named(String name) {
    return catalogue.named(name);
  }
}

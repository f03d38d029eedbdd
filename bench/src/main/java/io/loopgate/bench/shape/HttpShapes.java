package io.loopgate.bench.shape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The named shapes for servers, each with those that are compared by it. */
public final class HttpShapes {
  private static final int MIB = 1 << 20;
  private static final int PAGE = 4 << 10;
  private static final String LOOPGATE = "loopgate";
  private static final String NGINX = "nginx";
  private static final String NGINX_THREADS = "nginx/sendfile=off/aio=threads";

  private static final List<String> READERS = List.of(NGINX, NGINX_THREADS, LOOPGATE);

  private final Map<String, List<HttpShape>> byName = new LinkedHashMap<>();
  private final Target target;

  /**
   * A shape.
   *
   * @param workload what is run
   * @param contenders those compared unless others are named; the first is the baseline
   * @param peakShare how much of the peak of the baseline the rate is; 0: no rate
   */
  public record HttpShape(Workload workload, List<String> contenders, double peakShare) {
    /** Copies the list. */
    public HttpShape {
      contenders = List.copyOf(contenders);
    }
  }

  /** Lays out the shapes over one file of this size. */
  public HttpShapes(long sizeBytes) {
    this.target = new Target.Image(sizeBytes, Fill.WRITTEN, false);
    byName.put(
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
  }

  private static Access hot(Rw rw, int blockBytes, int depth, int connections) {
    return Access.of(rw, blockBytes, depth, connections, false, Cache.HOT);
  }

  private static Wire h1(boolean durable) {
    return Wire.closed(Protocol.H1, durable);
  }

  private HttpShape shape(String name, Access access, Wire wire, List<String> contenders) {
    return new HttpShape(
        new Workload(name, target, access, java.util.Optional.of(wire)), contenders, 0);
  }

  private void add(String name, Access access, Wire wire, List<String> contenders) {
    byName.put(name, List.of(shape(name, access, wire, contenders)));
  }

  /** Returns the names. */
  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /**
   * Returns what a name stands for; some are a series.
   *
   * @throws IllegalArgumentException naming the valid ones
   */
  public List<HttpShape> named(String name) {
    List<HttpShape> found = byName.get(name);
    if (found != null) {
      return found;
    }
    return byName.values().stream()
        .flatMap(List::stream)
        .filter(shape -> shape.workload().name().equals(name))
        .findFirst()
        .map(List::of)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no shape \"" + name + "\"; there are " + String.join(", ", names())));
  }
}

package io.loopgate.bench.shape;

import java.util.List;
import java.util.stream.IntStream;

/** The named shapes. */
public final class Shapes {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final int PAGE = 4 * KIB;
  private static final int LINEAR_PARTS = 3;

  /** So much larger is a sparse file, or it would soon be sparse no more. */
  private static final int SPARSE_TIMES = 16;

  private final Catalogue<Workload> catalogue = new Catalogue<>(Workload::name);

  /** Lays out the shapes over files of this size. */
  public Shapes(long sizeBytes) {
    Target written = new Target.Image(sizeBytes, Fill.WRITTEN, false);
    add("psync12", written, direct(Rw.RW, PAGE, 1, 12));
    add("libaio12", written, direct(Rw.RW, PAGE, 16, 12));
    add("randread128", written, direct(Rw.RANDREAD, PAGE, 128, 1));
    add("sequential4", written, direct(Rw.READ, MIB, 1, 4).apart());
    catalogue.add("livecd", IntStream.of(1, 4, 16, 64).mapToObj(Shapes::liveCd).toList());
    add(
        "sparsewrite",
        new Target.Image(sizeBytes * SPARSE_TIMES, Fill.SPARSE, true),
        direct(Rw.RANDWRITE, PAGE, 16, 1));
    add("preallocwrite", written, direct(Rw.RANDWRITE, PAGE, 16, 1));
    add("hot1", written, Access.of(Rw.RANDREAD, PAGE, 1, 4, false, Cache.HOT));
    catalogue.add(
        "writers", IntStream.of(1, 2, 4, 8).mapToObj(jobs -> writers(written, jobs)).toList());
  }

  /** The image of a live CD read by some jobs, as many programs start at once. */
  public static Workload liveCd(int readers) {
    Access access = new Access(Rw.RANDREAD, PAGE, 128 * KIB, 1, readers, false, Cache.HOT, false);
    return new Workload("livecd-" + readers, new Target.LiveCd(), access);
  }

  /** Three files as one volume, of this size together. */
  public static Target linear(long sizeBytes) {
    return new Target.Image(sizeBytes, Fill.WRITTEN, false).inParts(LINEAR_PARTS);
  }

  private static Workload writers(Target written, int jobs) {
    return new Workload(
        "writers-" + jobs, written, Access.of(Rw.RANDWRITE, PAGE, 1, jobs, false, Cache.HOT));
  }

  private static Access direct(Rw rw, int blockBytes, int depth, int jobs) {
    return Access.of(rw, blockBytes, depth, jobs, true, Cache.COLD);
  }

  private void add(String name, Target target, Access access) {
    catalogue.add(new Workload(name, target, access));
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
  public List<Workload> named(String name) {
    return catalogue.named(name);
  }
}

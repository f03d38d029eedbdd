package io.loopgate.bench.shape;

import io.loopgate.config.Units;
import java.util.Locale;

/**
 * How jobs use a volume, in the words of fio.
 *
 * @param rw which commands, and where
 * @param blockBytesMin the length of the shortest command, and what offsets are multiples of
 * @param blockBytesMax the length of the longest command; lengths between are multiples of the
 *     shortest, each as likely
 * @param depth how many commands a job keeps in flight
 * @param jobs how many jobs there are
 * @param direct whether transfers go past the page cache
 * @param cache what is in the page cache at the start, unless direct
 * @param disjoint whether every job has a part of the volume to itself
 * @param readPercent how many of a hundred commands are reads, where there are reads and writes
 */
public record Access(
    Rw rw,
    int blockBytesMin,
    int blockBytesMax,
    int depth,
    int jobs,
    boolean direct,
    Cache cache,
    boolean disjoint,
    int readPercent) {
  /** How long a command may be. */
  public static final int BLOCK_BYTES_MAX = 16 << 20;

  private static final int SECTOR_BYTES = 512;
  private static final int DEPTH_MAX = 1024;
  private static final int JOBS_MAX = 256;
  private static final int HALF_PERCENT = 50;

  /** Checks the numbers; the message names the one that is wrong. */
  public Access {
    if (blockBytesMin < SECTOR_BYTES || blockBytesMin % SECTOR_BYTES != 0) {
      throw new IllegalArgumentException(
          "bs has to be a multiple of 512 bytes, not " + blockBytesMin);
    }
    if (blockBytesMax < blockBytesMin
        || blockBytesMax % blockBytesMin != 0
        || blockBytesMax > BLOCK_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the longest block has to be a multiple of the shortest and at most 16 MiB, not "
              + blockBytesMax);
    }
    if (depth < 1 || depth > DEPTH_MAX) {
      throw new IllegalArgumentException("iodepth has to be 1 to " + DEPTH_MAX + ", not " + depth);
    }
    if (jobs < 1 || jobs > JOBS_MAX) {
      throw new IllegalArgumentException("numjobs has to be 1 to " + JOBS_MAX + ", not " + jobs);
    }
    if (readPercent < 0 || readPercent > 100) {
      throw new IllegalArgumentException(
          "reads have to be 0 to 100 of a hundred, not " + readPercent);
    }
  }

  /** Half of the commands are reads, where there are reads and writes. */
  public Access(
      Rw rw,
      int blockBytesMin,
      int blockBytesMax,
      int depth,
      int jobs,
      boolean direct,
      Cache cache,
      boolean disjoint) {
    this(rw, blockBytesMin, blockBytesMax, depth, jobs, direct, cache, disjoint, HALF_PERCENT);
  }

  /** Jobs with commands of one length. */
  public static Access of(Rw rw, int blockBytes, int depth, int jobs, boolean direct, Cache cache) {
    return new Access(rw, blockBytes, blockBytes, depth, jobs, direct, cache, false);
  }

  /** Returns the same, each job in its own part of the volume. */
  public Access apart() {
    return new Access(
        rw, blockBytesMin, blockBytesMax, depth, jobs, direct, cache, true, readPercent);
  }

  /** Returns the same with so many reads of a hundred commands. */
  public Access mixed(int percent) {
    return new Access(
        rw, blockBytesMin, blockBytesMax, depth, jobs, direct, cache, disjoint, percent);
  }

  /** Returns the same with other jobs and depth. */
  public Access over(int otherJobs, int otherDepth) {
    return new Access(
        rw,
        blockBytesMin,
        blockBytesMax,
        otherDepth,
        otherJobs,
        direct,
        cache,
        disjoint,
        readPercent);
  }

  /** Returns how many commands are in flight over all jobs. */
  public int commandsInFlight() {
    return depth * jobs;
  }

  /** Returns a few words for reports. */
  public String text() {
    return text("job");
  }

  /** Returns a few words for reports that call jobs otherwise. */
  String text(String job) {
    String blocks = Units.formatBytes(blockBytesMin);
    if (blockBytesMax != blockBytesMin) {
      blocks += " to " + Units.formatBytes(blockBytesMax);
    }
    return rw.word()
        + " "
        + blocks
        + (readPercent == HALF_PERCENT ? "" : ", " + readPercent + " % reads")
        + ", "
        + jobs
        + " "
        + job
        + (jobs == 1 ? "" : "s")
        + " x depth "
        + depth
        + (disjoint ? ", parts apart" : "")
        + (direct ? ", direct" : ", buffered " + cache.name().toLowerCase(Locale.ROOT));
  }
}

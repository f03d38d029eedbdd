package io.loopgate.bench.load;

import io.loopgate.bench.shape.Access;
import io.loopgate.block.BlockOp;

/**
 * Decides what a job does next: which operation, where, how long. After each {@link #next} the
 * command is in the fields. For one thread; allocates nothing.
 *
 * <p>As in fio: reads and writes each have a position of their own when ascending, and begin again
 * at the start of the part when it is done.
 */
public final class Offsets {
  private static final int PERCENT = 100;

  private final Access access;
  private final RandomNumbers random;
  private final long startBytes;
  private final long blocks;
  private final int lengths;
  private final boolean mixed;
  private long readPosition;
  private long writePosition;

  private BlockOp op = BlockOp.READ;
  private long offsetBytes;
  private long lengthBytes;

  /**
   * Begins at the start of the part.
   *
   * @param sizeBytes of the whole volume
   * @param job the number of the job, counted from 0
   * @throws IllegalArgumentException if a part cannot hold the longest command
   */
  public Offsets(Access access, long sizeBytes, int job, long seed) {
    int block = access.blockBytesMin();
    long part = access.disjoint() ? sizeBytes / access.jobs() / block * block : sizeBytes;
    if (part < access.blockBytesMax()) {
      throw new IllegalArgumentException(
          "a volume of " + sizeBytes + " bytes is too small for " + access.text());
    }
    this.access = access;
    this.random = new RandomNumbers(seed * 1_000_003 + job);
    this.startBytes = access.disjoint() ? part * job : 0;
    this.blocks = part / block;
    this.lengths = access.blockBytesMax() / block;
    this.mixed = access.rw().reads() && access.rw().writes();
  }

  /** Decides. */
  public void next() {
    op = mixed ? either() : access.rw().reads() ? BlockOp.READ : BlockOp.WRITE;
    long wanted = lengths == 1 ? 1 : 1 + random.below(lengths);
    long block;
    if (access.rw().random()) {
      block = random.below(blocks - wanted + 1);
    } else {
      block = ascending(wanted);
    }
    offsetBytes = startBytes + block * access.blockBytesMin();
    lengthBytes = wanted * access.blockBytesMin();
  }

  private BlockOp either() {
    return random.below(PERCENT) < access.readPercent() ? BlockOp.READ : BlockOp.WRITE;
  }

  private long ascending(long wanted) {
    boolean reading = op == BlockOp.READ;
    long block = reading ? readPosition : writePosition;
    if (block + wanted > blocks) {
      block = 0;
    }
    if (reading) {
      readPosition = block + wanted;
    } else {
      writePosition = block + wanted;
    }
    return block;
  }

  /** Returns the operation. */
  public BlockOp op() {
    return op;
  }

  /** Returns where. */
  public long offsetBytes() {
    return offsetBytes;
  }

  /** Returns how long. */
  public long lengthBytes() {
    return lengthBytes;
  }
}

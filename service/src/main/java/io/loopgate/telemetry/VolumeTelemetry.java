package io.loopgate.telemetry;

import io.loopgate.block.BlockOp;
import java.util.concurrent.atomic.LongAdder;

/**
 * What one volume counts. Every method may be called from every thread and costs a striped
 * increment.
 *
 * <p>All label combinations exist from the start, so that a scrape before the first event shows 0.
 */
public final class VolumeTelemetry {
  private final String volume;
  private final LongAdder[] commands = adders(BlockOp.count());
  private final LongAdder[] commandBytes = adders(BlockOp.count());
  private final LongAdder[] commandErrors = adders(BlockOp.count());
  private final LongAdder[] nowaitReads = adders(NowaitOutcome.values().length);
  private final LongAdder[] nowaitWrites = adders(NowaitOutcome.values().length);
  private final Histogram queueWait = Histogram.forInternals();
  private final Histogram serviceTime = Histogram.forInternals();
  private final Histogram flushTime = Histogram.forInternals();
  private final LongAdder flushes = new LongAdder();
  private final LongAdder flushedWrites = new LongAdder();
  private final LongAdder flushErrors = new LongAdder();
  private final LongAdder merged = new LongAdder();
  private final LongAdder polls = new LongAdder();
  private final LongAdder polled = new LongAdder();

  /** Creates the counters of a volume. */
  public VolumeTelemetry(String volume) {
    this.volume = volume;
  }

  private static LongAdder[] adders(int count) {
    LongAdder[] made = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      made[i] = new LongAdder();
    }
    return made;
  }

  /** Returns the volume's id. */
  public String volume() {
    return volume;
  }

  /** Counts a command that ended with this result. */
  public void commandEnded(BlockOp op, long result) {
    commands[op.ordinal()].increment();
    if (result < 0) {
      commandErrors[op.ordinal()].increment();
    } else {
      commandBytes[op.ordinal()].add(result);
    }
  }

  /** Counts the outcome of the NOWAIT-first path for a read or a write. */
  public void nowait(BlockOp op, NowaitOutcome outcome) {
    (op == BlockOp.READ ? nowaitReads : nowaitWrites)[outcome.ordinal()].increment();
  }

  /** Counts how long a command waited in a queue before a thread took it. */
  public void queueWaitNanos(long nanos) {
    queueWait.recordNanos(nanos);
  }

  /** Counts how long a thread was busy with a command. */
  public void serviceNanos(long nanos) {
    serviceTime.recordNanos(nanos);
  }

  /** Counts a flush and how many writes waited for it. */
  public void flushEnded(long nanos, int writes, boolean failed) {
    flushes.increment();
    flushedWrites.add(writes);
    flushTime.recordNanos(nanos);
    if (failed) {
      flushErrors.increment();
    }
  }

  /** Counts commands that rode along with an adjacent one instead of going to the kernel alone. */
  public void merged(int commands) {
    merged.add(commands);
  }

  /** Counts a poll for ended commands and how many it found. */
  public void polled(int found) {
    polls.increment();
    polled.add(found);
  }

  /** Returns how many commands of this kind ended. */
  public long commands(BlockOp op) {
    return commands[op.ordinal()].sum();
  }

  /** Returns how many bytes commands of this kind moved, zeroed or discarded. */
  public long commandBytes(BlockOp op) {
    return commandBytes[op.ordinal()].sum();
  }

  /** Returns how many commands of this kind failed. */
  public long commandErrors(BlockOp op) {
    return commandErrors[op.ordinal()].sum();
  }

  /** Returns how often reads or writes had this outcome. */
  public long nowaitCount(BlockOp op, NowaitOutcome outcome) {
    return (op == BlockOp.READ ? nowaitReads : nowaitWrites)[outcome.ordinal()].sum();
  }

  /** Returns the waits in queues. */
  public Histogram queueWait() {
    return queueWait;
  }

  /** Returns the times threads were busy with commands. */
  public Histogram serviceTime() {
    return serviceTime;
  }

  /** Returns the times flushes took. */
  public Histogram flushTime() {
    return flushTime;
  }

  /** Returns how many flushes ended. */
  public long flushes() {
    return flushes.sum();
  }

  /** Returns how many writes shared those flushes. */
  public long flushedWrites() {
    return flushedWrites.sum();
  }

  /** Returns how many flushes failed. */
  public long flushErrors() {
    return flushErrors.sum();
  }

  /** Returns how many commands rode along with an adjacent one. */
  public long merged() {
    return merged.sum();
  }

  /** Returns how often an engine polled for ended commands. */
  public long polls() {
    return polls.sum();
  }

  /** Returns how many transfers were found ended by polls; a merged one counts once. */
  public long polled() {
    return polled.sum();
  }
}

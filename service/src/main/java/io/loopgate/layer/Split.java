package io.loopgate.layer;

import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.InFlight;
import org.jspecify.annotations.Nullable;

/** One command that is being run in parts. Pooled, and confined to its loop. */
final class Split {
  private final SplitPool pool;
  private final InFlight commands;
  private @Nullable BlockRequest whole;

  /** How many parts have not ended, and one more until all are submitted. */
  private int pending;

  private long failure;
  private int failedSegment;
  private long goodBytes;

  Split(SplitPool pool, InFlight commands) {
    this.pool = pool;
    this.commands = commands;
  }

  /** A slot for a part. */
  static final class Part implements BlockCompletion {
    private final BlockRequest request;
    private @Nullable Split split;
    private int segment;
    private long skipBytes;

    Part(CompletionSink home) {
      this.request = new BlockRequest(home);
    }

    BlockRequest request() {
      return request;
    }

    /** The engine of the segment had no room. */
    void refused() {
      request.completeHere(-Errno.OVERLOADED);
    }

    @Override
    public void completed(BlockRequest ended, long result) {
      Split of = split;
      split = null;
      if (of != null) {
        of.ended(this, result);
      }
    }
  }

  void begin(BlockRequest command) {
    whole = command;
    pending = 1;
    failure = 0;
    failedSegment = Integer.MAX_VALUE;
    goodBytes = 0;
  }

  private BlockRequest whole() {
    BlockRequest command = whole;
    if (command == null) {
      throw new IllegalStateException("a part without a command");
    }
    return command;
  }

  /**
   * Returns the part of the command in a segment.
   *
   * @param skipBytes how far into what is left of the command it begins
   * @param offsetBytes where it begins in the segment
   */
  Part part(int segment, long skipBytes, long offsetBytes, long lengthBytes) {
    Part part = pool.part();
    part.split = this;
    part.segment = segment;
    part.skipBytes = skipBytes;
    part.request.preparePart(whole(), skipBytes, offsetBytes, lengthBytes, part);
    pending++;
    return part;
  }

  Part flush(int segment) {
    return part(segment, 0, 0, 0);
  }

  /** Takes back the only part, and the command with it: it is its submitter's again. */
  void withdraw(Part part) {
    part.split = null;
    part.request.completeHere(0);
    pool.give(part);
    whole = null;
    pool.give(this);
    commands.leave();
  }

  /** There are no more parts to come. */
  void submitted() {
    endOne();
  }

  private void ended(Part part, long result) {
    if (result < 0 && isWorse(part.segment, result)) {
      failure = result;
      failedSegment = part.segment;
      goodBytes = part.skipBytes + part.request.doneBytes();
    }
    pool.give(part);
    endOne();
  }

  /**
   * The first in order counts. Of flushes one that ran and failed counts before one that never ran:
   * what it lost is lost, and nobody would hear of it again.
   */
  private boolean isWorse(int segment, long result) {
    boolean first = segment < failedSegment;
    if (failure == 0 || whole().op() != BlockOp.FLUSH) {
      return first;
    }
    boolean ran = hasRun(result);
    return ran == hasRun(failure) ? first : ran;
  }

  private static boolean hasRun(long result) {
    return result != -Errno.OVERLOADED && result != -Errno.CLOSED && result != -Errno.DEADLINE;
  }

  private void endOne() {
    pending--;
    if (pending > 0) {
      return;
    }
    BlockRequest command = whole();
    long result = failure == 0 ? command.lengthBytes() : failure;
    long doneBytes = failure == 0 ? command.remainingBytes() : goodBytes;
    // Free first: the completion may submit the next command from inside this one.
    whole = null;
    pool.give(this);
    commands.leave();
    if (doneBytes > 0) {
      command.advance(doneBytes);
    }
    command.completeHere(result);
  }
}

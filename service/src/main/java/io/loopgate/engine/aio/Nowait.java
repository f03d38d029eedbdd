package io.loopgate.engine.aio;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.NowaitDirection;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;

/**
 * Which transfers are tried without waiting, and how that went.
 *
 * <p>The loop driver's rule in its final form (837ed3039646): reads always, writes only while no
 * write that may wait is queued or being submitted; made adaptive by a {@link NowaitDirection} for
 * each way. Any thread.
 */
final class Nowait {
  private final SubmitPolicy policy;
  private final BlockingWrites blockingWrites;
  private final VolumeTelemetry telemetry;

  /** The file says whether it supports them when it is first tried. */
  private final NowaitDirection reads = new NowaitDirection(true, true);

  private final NowaitDirection writes = new NowaitDirection(true, true);

  Nowait(SubmitPolicy policy, BlockingWrites blockingWrites, VolumeTelemetry telemetry) {
    this.policy = policy;
    this.blockingWrites = blockingWrites;
    this.telemetry = telemetry;
  }

  private NowaitDirection direction(BlockOp op) {
    return op == BlockOp.READ ? reads : writes;
  }

  /** Tells whether a slot is for the worker, as it is not worth a try; counts that. */
  boolean passesOver(Slot slot, long nowNanos) {
    if (policy == SubmitPolicy.PLAIN) {
      return false;
    }
    BlockOp op = slot.op();
    boolean hint = op == BlockOp.READ || !blockingWrites.any();
    NowaitDirection direction = direction(op);
    if (hint && direction.worthTrying(nowNanos)) {
      return false;
    }
    NowaitOutcome refusal = hint ? direction.refusal() : NowaitOutcome.SKIPPED;
    for (int i = 0; i < slot.parts(); i++) {
      telemetry.nowait(op, refusal);
    }
    return true;
  }

  /** Tells whether slots that are not passed over are tried without waiting. */
  boolean tries() {
    return policy == SubmitPolicy.NOWAIT_FIRST;
  }

  /**
   * Tells whether a slow batch was seen lately, so that the next have to say whether they waited.
   */
  boolean isWatched() {
    return policy == SubmitPolicy.NOWAIT_FIRST && (reads.isWatched() || writes.isWatched());
  }

  /** Learns how long the loop was away for each of the tries of a batch. */
  void took(BlockOp op, long nanosPerTry, boolean waited, long nowNanos) {
    direction(op).took(nanosPerTry, waited, nowNanos);
  }

  /**
   * Learns from the result of a try and counts it for each command of the slot.
   *
   * @return whether the slot has to be handed over once more, without the flag
   */
  boolean judge(Slot slot, long result) {
    BlockOp op = slot.op();
    NowaitOutcome whole = outcome(result, slot.handedBytes());
    direction(op).learn(whole);
    long left = result;
    for (BlockRequest each = slot.head(); each != null; each = each.next()) {
      telemetry.nowait(op, result > 0 ? outcome(left, each.remainingBytes()) : whole);
      left = Math.max(0, left - each.remainingBytes());
    }
    return whole == NowaitOutcome.AGAIN || whole == NowaitOutcome.UNSUPPORTED;
  }

  /**
   * An error other than "not now" and "never" is the command's own, found without waiting: a hit.
   */
  private static NowaitOutcome outcome(long result, long wanted) {
    if (result >= wanted) {
      return NowaitOutcome.HIT;
    }
    if (result > 0) {
      return NowaitOutcome.SHORT;
    }
    if (result == 0 || result == -Errno.EAGAIN) {
      return NowaitOutcome.AGAIN;
    }
    // Kernels and file systems that do not know the flag for this file say either.
    return result == -Errno.EOPNOTSUPP || result == -Errno.EINVAL
        ? NowaitOutcome.UNSUPPORTED
        : NowaitOutcome.HIT;
  }
}

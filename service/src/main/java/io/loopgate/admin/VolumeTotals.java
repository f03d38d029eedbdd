package io.loopgate.admin;

import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.Histogram;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.List;

/** The counters of one or more volumes, added up. Not for more than one thread. */
final class VolumeTotals {
  /** The operations that have a path that does not wait. */
  static final List<BlockOp> FAST_PATH_OPS = List.of(BlockOp.READ, BlockOp.WRITE);

  private static final List<BlockOp> OPS = List.of(BlockOp.values());
  private static final List<NowaitOutcome> OUTCOMES = List.of(NowaitOutcome.values());

  private final long[] commands = new long[OPS.size()];
  private final long[] bytes = new long[OPS.size()];
  private final long[] errors = new long[OPS.size()];
  private final long[][] fastPath = new long[FAST_PATH_OPS.size()][OUTCOMES.size()];
  private final HistogramSum queueWait = new HistogramSum(Histogram.forInternals());
  private final HistogramSum service = new HistogramSum(Histogram.forInternals());
  private final HistogramSum syncTime = new HistogramSum(Histogram.forInternals());
  private long syncs;
  private long syncWrites;
  private long syncErrors;
  private long merged;
  private long polls;
  private long polled;

  void add(VolumeTelemetry telemetry) {
    for (BlockOp op : OPS) {
      commands[op.ordinal()] += telemetry.commands(op);
      bytes[op.ordinal()] += telemetry.commandBytes(op);
      errors[op.ordinal()] += telemetry.commandErrors(op);
    }
    for (int i = 0; i < fastPath.length; i++) {
      for (NowaitOutcome outcome : OUTCOMES) {
        fastPath[i][outcome.ordinal()] += telemetry.nowaitCount(FAST_PATH_OPS.get(i), outcome);
      }
    }
    queueWait.add(telemetry.queueWait());
    service.add(telemetry.serviceTime());
    syncTime.add(telemetry.flushTime());
    syncs += telemetry.flushes();
    syncWrites += telemetry.flushedWrites();
    syncErrors += telemetry.flushErrors();
    merged += telemetry.merged();
    polls += telemetry.polls();
    polled += telemetry.polled();
  }

  void add(VolumeTotals other) {
    addEach(commands, other.commands);
    addEach(bytes, other.bytes);
    addEach(errors, other.errors);
    for (int i = 0; i < fastPath.length; i++) {
      addEach(fastPath[i], other.fastPath[i]);
    }
    queueWait.add(other.queueWait);
    service.add(other.service);
    syncTime.add(other.syncTime);
    syncs += other.syncs;
    syncWrites += other.syncWrites;
    syncErrors += other.syncErrors;
    merged += other.merged;
    polls += other.polls;
    polled += other.polled;
  }

  private static void addEach(long[] sums, long[] added) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += added[i];
    }
  }

  long commands(BlockOp op) {
    return commands[op.ordinal()];
  }

  long bytes(BlockOp op) {
    return bytes[op.ordinal()];
  }

  long errors(BlockOp op) {
    return errors[op.ordinal()];
  }

  long fastPath(BlockOp op, NowaitOutcome outcome) {
    return fastPath[FAST_PATH_OPS.indexOf(op)][outcome.ordinal()];
  }

  HistogramSum queueWait() {
    return queueWait;
  }

  HistogramSum service() {
    return service;
  }

  HistogramSum syncTime() {
    return syncTime;
  }

  long syncs() {
    return syncs;
  }

  long syncWrites() {
    return syncWrites;
  }

  long syncErrors() {
    return syncErrors;
  }

  long merged() {
    return merged;
  }

  long polls() {
    return polls;
  }

  long polled() {
    return polled;
  }
}

package io.loopgate.layer;

import io.loopgate.backing.Backing;
import io.loopgate.backing.SegmentMap;
import io.loopgate.backing.WindowBacking;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineContract;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Engines on the segments of a file, under a split, keep the contract of engines. */
class SegmentSplitContractTest {
  private static final int BLOCK_BYTES = 4096;

  /** Odd in blocks, so that some commands of the contract cross from one to the next. */
  private static final long[] STARTS = {0, 7 * BLOCK_BYTES, 20 * BLOCK_BYTES, 31 * BLOCK_BYTES};

  abstract static class Contract extends EngineContract {
    Contract(String spec, boolean direct, NowaitMode nowait) {
      super(spec, direct, nowait);
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      List<LoopEngine> engines = new ArrayList<>();
      for (int i = 0; i < STARTS.length; i++) {
        engines.add(
            new EngineSelector().open(spec, segment(environment, window(environment, i))).engine());
      }
      return new SegmentSplit(engines, new SegmentMap(STARTS), environment.queueCapacity());
    }

    /** All are of one file, so one of them is enough to flush it. */
    private static Backing window(EngineEnvironment environment, int index) {
      long sizeBytes = environment.backing().geometry().sizeBytes();
      long endBytes = index + 1 < STARTS.length ? STARTS[index + 1] : sizeBytes;
      WindowBacking window =
          new WindowBacking(environment.backing(), STARTS[index], endBytes - STARTS[index]);
      return index == 0 ? window : window.withoutFlush();
    }

    private static EngineEnvironment segment(EngineEnvironment whole, Backing window) {
      return new EngineEnvironment(
          whole.volume(),
          window,
          SegmentSplit.segmentCapacity(whole.queueCapacity()),
          whole.unsafeInline(),
          whole.loops(),
          whole.telemetry(),
          whole.options(),
          new BlockingWrites());
    }
  }

  @Nested
  class OverWorkers extends Contract {
    OverWorkers() {
      super("workers:2", false, NowaitMode.OFF);
    }
  }

  @Nested
  class OverWorkersDirect extends Contract {
    OverWorkersDirect() {
      super("workers:2", true, NowaitMode.OFF);
    }
  }

  @Nested
  class OverSingleUnderNowait extends Contract {
    OverSingleUnderNowait() {
      super("single", false, NowaitMode.AUTO);
    }
  }

  @Nested
  class OverInline extends Contract {
    OverInline() {
      super("inline", false, NowaitMode.OFF);
    }

    @Override
    protected boolean runsInSubmit() {
      return true;
    }
  }
}

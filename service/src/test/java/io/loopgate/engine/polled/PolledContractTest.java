package io.loopgate.engine.polled;

import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.aio.AioEngine;
import io.loopgate.engine.aio.FakeKernelContract;
import io.loopgate.engine.aio.SubmitPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Nested;

/** {@code polled} keeps the contract of engines in all its modes, over a kernel with faults. */
class PolledContractTest {
  private static final EngineOptions ONE_AT_A_TIME =
      EngineOptions.DEFAULT.withDepth(1).withMerge(false);

  abstract static class Contract extends FakeKernelContract {
    Contract(boolean epoll, PollMode mode, EngineOptions options) {
      super(epoll, SubmitPolicy.NOWAIT_FIRST, mode, options);
    }
  }

  @Nested
  class Batch extends Contract {
    Batch() {
      super(false, PollMode.BATCH, EngineOptions.DEFAULT);
    }
  }

  @Nested
  class BatchOnEpoll extends Contract {
    BatchOnEpoll() {
      super(true, PollMode.BATCH, EngineOptions.DEFAULT.withDepth(2));
    }
  }

  @Nested
  class Hybrid extends Contract {
    Hybrid() {
      super(false, PollMode.HYBRID, EngineOptions.DEFAULT.withDepth(2).withMerge(false));
    }
  }

  @Nested
  class HybridOnEpoll extends Contract {
    HybridOnEpoll() {
      super(true, PollMode.HYBRID, EngineOptions.DEFAULT);
    }
  }

  abstract static class NaiveContract extends Contract {
    NaiveContract(boolean epoll) {
      super(epoll, PollMode.NAIVE, ONE_AT_A_TIME);
    }

    /** The submitter spins, and the worker that hands a missed command over once more looks. */
    @Override
    protected boolean endsAnywhere() {
      return true;
    }
  }

  @Nested
  class Naive extends NaiveContract {
    Naive() {
      super(true);
    }

    /** Spins for as long as a test holds a command. */
    @Override
    protected LoopEngine over(AioEngine queue, EngineEnvironment environment) {
      return new NaiveEngine(queue, environment.loops(), Duration.ofMinutes(1));
    }

    @Override
    protected boolean runsInSubmit() {
      return true;
    }

    @Override
    protected boolean beginsAfterTheTurn() {
      return false;
    }
  }

  @Nested
  class NaiveGivingUp extends NaiveContract {
    NaiveGivingUp() {
      super(false);
    }

    /** Hardly spins, so that nearly all is left to passes. */
    @Override
    protected LoopEngine over(AioEngine queue, EngineEnvironment environment) {
      return new NaiveEngine(queue, environment.loops(), Duration.ofNanos(1));
    }
  }
}

package io.loopgate.engine.aio;

import io.loopgate.engine.EngineOptions;
import org.junit.jupiter.api.Nested;

/** {@code aio} keeps the contract of engines, over a kernel with faults. */
class AioContractTest {
  private static final EngineOptions OPTIONS = EngineOptions.DEFAULT;
  private static final EngineOptions SHORT = OPTIONS.withDepth(2);

  abstract static class Contract extends FakeKernelContract {
    Contract(boolean epoll, SubmitPolicy policy, EngineOptions options) {
      super(epoll, policy, new SignalWatch(), options);
    }
  }

  @Nested
  class ReaperThread extends Contract {
    ReaperThread() {
      super(false, SubmitPolicy.NOWAIT_FIRST, OPTIONS);
    }
  }

  @Nested
  class OnEpoll extends Contract {
    OnEpoll() {
      super(true, SubmitPolicy.NOWAIT_FIRST, OPTIONS);
    }
  }

  @Nested
  class ShortQueue extends Contract {
    ShortQueue() {
      super(false, SubmitPolicy.NOWAIT_FIRST, SHORT);
    }
  }

  @Nested
  class ShortQueueNotMerging extends Contract {
    ShortQueueNotMerging() {
      super(true, SubmitPolicy.NOWAIT_FIRST, SHORT.withMerge(false));
    }
  }

  @Nested
  class Plain extends Contract {
    Plain() {
      super(true, SubmitPolicy.PLAIN, OPTIONS);
    }
  }
}

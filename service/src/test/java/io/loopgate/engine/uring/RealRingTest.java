package io.loopgate.engine.uring;

import io.loopgate.engine.EngineOptions;
import org.junit.jupiter.api.Nested;

/** {@code uring} on rings of the kernel: of its own, and those of the event loops. */
class RealRingTest {
  private static final EngineOptions DEFAULT = EngineOptions.DEFAULT;

  @Nested
  class OwnRingsBuffered extends RealRingContract {
    OwnRingsBuffered() {
      super(false, false, DEFAULT);
    }
  }

  @Nested
  class OwnRingDirectDepth4 extends RealRingContract {
    OwnRingDirectDepth4() {
      super(false, true, DEFAULT.withQueues(1).withDepth(4));
    }
  }

  @Nested
  class OwnRingsDirectPunted extends RealRingContract {
    OwnRingsDirectPunted() {
      super(false, true, DEFAULT.withPunt(true));
    }
  }

  @Nested
  class LoopRingsBuffered extends RealRingContract {
    LoopRingsBuffered() {
      super(true, false, DEFAULT);
    }
  }

  @Nested
  class LoopRingsDirect extends RealRingContract {
    LoopRingsDirect() {
      super(true, true, DEFAULT);
    }
  }

  @Nested
  class OneLoopRingDirectDepth4 extends RealRingContract {
    OneLoopRingDirectDepth4() {
      super(true, true, DEFAULT.withQueues(1).withDepth(4));
    }
  }

  @Nested
  class LoopRingsBufferedPunted extends RealRingContract {
    LoopRingsBufferedPunted() {
      super(true, false, DEFAULT.withPunt(true));
    }
  }
}

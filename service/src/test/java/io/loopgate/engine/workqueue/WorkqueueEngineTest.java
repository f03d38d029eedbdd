package io.loopgate.engine.workqueue;

import io.loopgate.engine.EngineContract;
import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** {@code workqueue:3} keeps the contract of engines. */
class WorkqueueEngineTest {
  abstract static class Contract extends EngineContract {
    Contract(boolean direct, NowaitMode nowait) {
      super("workqueue:3", direct, nowait);
    }
  }

  @Nested
  class Buffered extends Contract {
    Buffered() {
      super(false, NowaitMode.OFF);
    }
  }

  @Nested
  class Direct extends Contract {
    Direct() {
      super(true, NowaitMode.OFF);
    }
  }

  @Nested
  class BufferedNowaitAlways extends Contract {
    BufferedNowaitAlways() {
      super(false, NowaitMode.ALWAYS);
    }
  }

  @Nested
  class BufferedNowaitAuto extends Contract {
    BufferedNowaitAuto() {
      super(false, NowaitMode.AUTO);
    }
  }
}

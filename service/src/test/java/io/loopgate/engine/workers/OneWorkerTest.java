package io.loopgate.engine.workers;

import io.loopgate.engine.EngineContract;
import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** {@code workers:1} keeps the contract of engines. */
class OneWorkerTest {
  abstract static class Contract extends EngineContract {
    Contract(boolean direct, NowaitMode nowait) {
      super("workers:1", direct, nowait);
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

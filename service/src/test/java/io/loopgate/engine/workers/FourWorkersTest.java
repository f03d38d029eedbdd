package io.loopgate.engine.workers;

import io.loopgate.engine.EngineContract;
import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** {@code workers:4} keeps the contract of engines. */
class FourWorkersTest {
  abstract static class Contract extends EngineContract {
    Contract(boolean direct, NowaitMode nowait) {
      super("workers:4", direct, nowait);
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

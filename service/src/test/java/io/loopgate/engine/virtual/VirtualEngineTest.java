package io.loopgate.engine.virtual;

import io.loopgate.engine.EngineContract;
import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** {@code virtual:3} keeps the contract of engines. */
class VirtualEngineTest {
  abstract static class Contract extends EngineContract {
    Contract(boolean direct, NowaitMode nowait) {
      super("virtual:3", direct, nowait);
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

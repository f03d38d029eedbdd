package io.loopgate.engine.inline;

import io.loopgate.engine.EngineContract;
import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** {@code inline} keeps the contract of engines. */
class InlineEngineTest {
  abstract static class Contract extends EngineContract {
    Contract(boolean direct, NowaitMode nowait) {
      super("inline", direct, nowait);
    }

    @Override
    protected boolean runsInSubmit() {
      return true;
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

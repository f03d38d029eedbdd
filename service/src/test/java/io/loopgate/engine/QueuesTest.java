package io.loopgate.engine;

import io.loopgate.layer.NowaitMode;
import org.junit.jupiter.api.Nested;

/** Engines of threads keep the contract with {@code queues=2} as well. */
class QueuesTest {
  abstract static class Contract extends EngineContract {
    Contract(String spec, boolean direct, NowaitMode nowait) {
      super(spec, direct, nowait);
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      return super.open(spec, Environments.withQueues(environment, 2));
    }
  }

  @Nested
  class Single extends Contract {
    Single() {
      super("single", false, NowaitMode.OFF);
    }
  }

  @Nested
  class Workers extends Contract {
    Workers() {
      super("workers:2", false, NowaitMode.AUTO);
    }
  }

  @Nested
  class DirectWorkers extends Contract {
    DirectWorkers() {
      super("workers:2", true, NowaitMode.OFF);
    }
  }

  @Nested
  class Workqueue extends Contract {
    Workqueue() {
      super("workqueue:2", false, NowaitMode.ALWAYS);
    }
  }

  @Nested
  class DirectWorkqueue extends Contract {
    DirectWorkqueue() {
      super("workqueue:2", true, NowaitMode.OFF);
    }
  }

  @Nested
  class Virtual extends Contract {
    Virtual() {
      super("virtual:2", false, NowaitMode.AUTO);
    }
  }

  @Nested
  class DirectVirtual extends Contract {
    DirectVirtual() {
      super("virtual:2", true, NowaitMode.OFF);
    }
  }
}

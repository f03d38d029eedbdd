package io.loopgate.engine.aio;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.OpenOptions;
import io.loopgate.engine.EngineContract;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.layer.NowaitMode;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** {@code aio} keeps the contract of engines, over a kernel with faults. */
class AioContractTest {
  abstract static class Contract extends EngineContract {
    private final SubmitPolicy policy;
    private final EngineOptions options;
    private final List<FakeKernel> kernels = new ArrayList<>();

    Contract(SubmitPolicy policy, EngineOptions options) {
      super("aio", true, NowaitMode.OFF);
      this.policy = policy;
      this.options = options;
    }

    @Override
    protected boolean beginsAfterTheTurn() {
      return true;
    }

    @Override
    protected Backing open(Path file, OpenOptions openOptions) {
      return new TryingBacking(super.open(file, openOptions));
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      FakeKernel kernel = new FakeKernel(environment.backing());
      kernels.add(kernel);
      EngineEnvironment optioned =
          new EngineEnvironment(
              environment.volume(),
              environment.backing(),
              environment.queueCapacity(),
              environment.unsafeInline(),
              environment.loops(),
              environment.telemetry(),
              options,
              environment.blockingWrites());
      return kernel.noting(AioEngine.open(optioned, -1, kernel, policy, new SignalWatch()));
    }

    @AfterEach
    void theKernelHasNoComplaint() {
      assertThat(kernels).allMatch(kernel -> kernel.complaints().isEmpty());
    }
  }

  @Nested
  class ReaperThread extends Contract {
    ReaperThread() {
      super(SubmitPolicy.NOWAIT_FIRST, EngineOptions.DEFAULT);
    }
  }

  @Nested
  class OnEpoll extends Contract {
    OnEpoll() {
      super(SubmitPolicy.NOWAIT_FIRST, EngineOptions.DEFAULT);
    }

    @Override
    protected TestLoop loop(int index) {
      return new TestLoop(index, EpollIoHandler.newFactory());
    }
  }

  @Nested
  class ShortQueue extends Contract {
    ShortQueue() {
      super(SubmitPolicy.NOWAIT_FIRST, EngineOptions.DEFAULT.withDepth(2));
    }
  }

  @Nested
  class ShortQueueNotMerging extends Contract {
    ShortQueueNotMerging() {
      super(SubmitPolicy.NOWAIT_FIRST, EngineOptions.DEFAULT.withDepth(2).withMerge(false));
    }

    @Override
    protected TestLoop loop(int index) {
      return new TestLoop(index, EpollIoHandler.newFactory());
    }
  }

  @Nested
  class Plain extends Contract {
    Plain() {
      super(SubmitPolicy.PLAIN, EngineOptions.DEFAULT);
    }

    @Override
    protected TestLoop loop(int index) {
      return new TestLoop(index, EpollIoHandler.newFactory());
    }
  }
}

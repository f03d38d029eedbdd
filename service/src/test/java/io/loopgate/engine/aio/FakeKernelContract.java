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

/** What every engine guarantees, for one queue over native asynchronous I/O with faults. */
public abstract class FakeKernelContract extends EngineContract {
  private final boolean epoll;
  private final SubmitPolicy policy;
  private final CompletionWatch.Kind kind;
  private final EngineOptions options;
  private final List<FakeKernel> kernels = new ArrayList<>();

  /** Checks a queue on loops of Netty's, with an epoll, or on plain ones. */
  protected FakeKernelContract(
      boolean epoll, SubmitPolicy policy, CompletionWatch.Kind kind, EngineOptions options) {
    super("aio", true, NowaitMode.OFF);
    this.epoll = epoll;
    this.policy = policy;
    this.kind = kind;
    this.options = options;
  }

  /** Puts on the queue what the engine needs besides. */
  protected LoopEngine over(AioEngine queue, EngineEnvironment environment) {
    return queue;
  }

  @Override
  protected boolean beginsAfterTheTurn() {
    return true;
  }

  @Override
  protected TestLoop loop(int index) {
    return epoll ? new TestLoop(index, EpollIoHandler.newFactory()) : new TestLoop(index);
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
    AioEngine queue = AioEngine.open(optioned, -1, kernel, policy, kind);
    return kernel.noting(over(queue, optioned));
  }

  @AfterEach
  void theKernelHasNoComplaint() {
    assertThat(kernels).allMatch(kernel -> kernel.complaints().isEmpty());
  }
}

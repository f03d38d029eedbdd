package io.loopgate.engine.uring;

import io.loopgate.backing.Backing;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.EngineContract;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.layer.NowaitMode;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/**
 * {@code uring} keeps the contract of engines, on a ring whose kernel fails as told; that the
 * kernel's own ring does as this one, {@link RealRingContract} shows.
 */
class UringContractTest {
  /** A ring with a thread of its own, of which every loop is a stranger. */
  abstract static class OwnThread extends EngineContract {
    private static final int RING_LOOP = 100;

    private final int depth;

    OwnThread(boolean direct, NowaitMode nowait, int depth) {
      super("uring", direct, nowait);
      this.depth = depth;
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      TestLoop ringLoop = new TestLoop(RING_LOOP);
      return engine(environment, depth, ringLoop, true, Optional.empty());
    }
  }

  /** The ring of the second loop. */
  abstract static class OnALoop extends EngineContract {
    private final int depth;

    OnALoop(boolean direct, NowaitMode nowait, int depth) {
      super("uring", direct, nowait);
      this.depth = depth;
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      TestLoop owner = (TestLoop) environment.loops().get(1);
      return engine(environment, depth, owner, false, Optional.of(owner.completions()));
    }
  }

  private static LoopEngine engine(
      EngineEnvironment on,
      int depth,
      TestLoop ringLoop,
      boolean ownsLoop,
      Optional<CompletionSink> here) {
    Backing backing = on.backing();
    EngineEnvironment environment =
        new EngineEnvironment(
            on.volume(),
            backing,
            on.queueCapacity(),
            on.unsafeInline(),
            on.loops(),
            on.telemetry(),
            on.options().withDepth(depth),
            on.blockingWrites());
    return new UringEngine(
        environment,
        here,
        listener -> new BackingRing(backing, ringLoop, ownsLoop, listener),
        UringEngine.CLOSE_TIMEOUT);
  }

  @Nested
  class OwnThreadBuffered extends OwnThread {
    OwnThreadBuffered() {
      super(false, NowaitMode.OFF, 128);
    }
  }

  @Nested
  class OwnThreadDirectDepth2 extends OwnThread {
    OwnThreadDirectDepth2() {
      super(true, NowaitMode.OFF, 2);
    }
  }

  @Nested
  class OwnThreadNowaitAuto extends OwnThread {
    OwnThreadNowaitAuto() {
      super(false, NowaitMode.AUTO, 128);
    }
  }

  @Nested
  class OnALoopBufferedDepth2 extends OnALoop {
    OnALoopBufferedDepth2() {
      super(false, NowaitMode.OFF, 2);
    }
  }

  @Nested
  class OnALoopDirect extends OnALoop {
    OnALoopDirect() {
      super(true, NowaitMode.OFF, 128);
    }
  }

  @Nested
  class OnALoopNowaitAlways extends OnALoop {
    OnALoopNowaitAlways() {
      super(false, NowaitMode.ALWAYS, 128);
    }
  }
}

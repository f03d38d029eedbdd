package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.layer.NowaitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds up what in engines of threads, and what does not. */
class LanesTest {
  private static final int THREADS = 3;
  private static final int WRITERS_PER_FILE = 2;
  private static final String NAME = "loopgate-workers-contract";

  abstract static class Lanes extends EngineFixture {
    private EngineOptions options = EngineOptions.DEFAULT;

    Lanes(String spec, boolean direct) {
      super(spec, direct, NowaitMode.OFF);
    }

    @Override
    protected LoopEngine open(String spec, EngineEnvironment environment) {
      return super.open(spec, Environments.with(environment, options));
    }

    void reopenWithDepth(int depth) {
      options = options.withDepth(depth);
      reopen(CAPACITY);
    }

    /** Submits so many commands that the gate holds, as far as they run. */
    List<Job> submitHeld(BlockOp op, int count) {
      List<Job> held = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long length = op == BlockOp.FLUSH ? 0 : BLOCK_BYTES;
        Job job = job(i % LOOPS).prepare(op, (long) i * BLOCK_BYTES, length);
        assertThat(submit(job)).isTrue();
        held.add(job);
      }
      return held;
    }

    void expectEnd(List<Job> held) {
      held.forEach(job -> assertThat(job.awaitResult(1)).isNotNegative());
    }
  }

  /** What all engines have in common that keep slow commands apart. */
  abstract static class Apart extends Lanes {
    Apart(String spec, boolean direct) {
      super(spec, direct);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLUSH", "DISCARD", "ZERO"})
    void aSlowCommandHoldsUpNoTransfer(BlockOp slow) throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold(request -> request.op() == slow);
      List<Job> held = submitHeld(slow, 2);
      gate.awaitWaiting(1);
      for (int i = 0; i < 20; i++) {
        assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
        assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
      }
      assertThat(gate.waiting()).as("slow commands that run").isEqualTo(1);
      // A worker is done with a command a moment after the submitter knows.
      Await.until("only the slow ones", () -> engine.inFlight() == 2);
      gate.release();
      expectEnd(held);
    }

    @Test
    void asManyReadsRunAsThereAreThreads() throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold(request -> request.op() == BlockOp.READ);
      List<Job> held = submitHeld(BlockOp.READ, THREADS + 1);
      gate.awaitWaiting(THREADS);
      assertThat(run(BlockOp.FLUSH, 0, 0)).as("what is apart").isZero();
      assertThat(gate.waiting()).isEqualTo(THREADS);
      assertThat(held).allMatch(job -> job.completions() == 0);
      gate.release();
      expectEnd(held);
    }

    @Test
    void theDepthBoundsWhatRunsInAllLanes() throws InterruptedException {
      reopenWithDepth(2);
      FaultyBacking.Gate gate = backing.hold();
      List<Job> held = submitHeld(BlockOp.READ, 2);
      gate.awaitWaiting(2);
      held.addAll(submitHeld(BlockOp.FLUSH, 1));
      held.addAll(submitHeld(BlockOp.READ, 1));
      assertThat(engine.drain(Duration.ofMillis(20))).isFalse();
      assertThat(gate.waiting()).isEqualTo(2);
      assertThat(backing.executed()).isEqualTo(2);
      gate.release();
      expectEnd(held);
    }

    @Test
    void aDepthOfOneIsOneAtATime() throws InterruptedException {
      reopenWithDepth(1);
      FaultyBacking.Gate gate = backing.hold();
      List<Job> held = submitHeld(BlockOp.FLUSH, 1);
      gate.awaitWaiting(1);
      held.addAll(submitHeld(BlockOp.READ, 2));
      assertThat(engine.drain(Duration.ofMillis(20))).isFalse();
      assertThat(backing.executed()).isEqualTo(1);
      gate.release();
      expectEnd(held);
    }
  }

  @Nested
  class Workers extends Apart {
    Workers() {
      super("workers:" + THREADS, false);
    }

    @Test
    void bufferedWritesHaveALaneOfTheirOwn() throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold(request -> request.op() == BlockOp.WRITE);
      List<Job> held = submitHeld(BlockOp.WRITE, THREADS);
      gate.awaitWaiting(WRITERS_PER_FILE);
      List<Job> reads = submitHeld(BlockOp.READ, THREADS);
      expectEnd(reads);
      assertThat(gate.waiting()).isEqualTo(WRITERS_PER_FILE);
      gate.release();
      expectEnd(held);
    }

    @Test
    void threadsThatNobodyNeedsDoNotExist() {
      reopen(CAPACITY);
      Await.until("those of the last engine are gone", () -> names().isEmpty());
      assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isPositive();
      assertThat(names()).containsExactlyInAnyOrder(NAME + "-0");
      assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isPositive();
      assertThat(names()).containsExactlyInAnyOrder(NAME + "-0", NAME + "-write-0");
      for (int i = 0; i < THREADS; i++) {
        assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isPositive();
        assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isPositive();
        assertThat(run(BlockOp.ZERO, 0, BLOCK_BYTES)).isPositive();
      }
      assertThat(names())
          .containsExactlyInAnyOrder(
              NAME + "-0",
              NAME + "-1",
              NAME + "-2",
              NAME + "-write-0",
              NAME + "-write-1",
              NAME + "-slow-0");
      engine.close();
      Await.until("all gone", () -> names().isEmpty());
    }

    private static Set<String> names() {
      return Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .filter(name -> name.startsWith(NAME))
          .collect(Collectors.toSet());
    }
  }

  @Nested
  class DirectWorkers extends Apart {
    DirectWorkers() {
      super("workers:" + THREADS, true);
    }

    @Test
    void directWritesRunSideBySide() throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold(request -> request.op() == BlockOp.WRITE);
      List<Job> held = submitHeld(BlockOp.WRITE, THREADS + 1);
      gate.awaitWaiting(THREADS);
      assertThat(run(BlockOp.FLUSH, 0, 0)).isZero();
      assertThat(gate.waiting()).isEqualTo(THREADS);
      gate.release();
      expectEnd(held);
    }
  }

  /** What those have in common where reads and writes share their threads. */
  abstract static class Shared extends Apart {
    Shared(String spec) {
      super(spec, false);
    }

    @Test
    void readsAndWritesShareTheLimit() throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold();
      List<Job> held = submitHeld(BlockOp.WRITE, 2);
      held.addAll(submitHeld(BlockOp.READ, 2));
      gate.awaitWaiting(THREADS);
      held.addAll(submitHeld(BlockOp.FLUSH, 1));
      gate.awaitWaiting(THREADS + 1);
      assertThat(backing.executed()).isEqualTo(THREADS + 1);
      gate.release();
      expectEnd(held);
    }
  }

  @Nested
  class Workqueue extends Shared {
    Workqueue() {
      super("workqueue:" + THREADS);
    }
  }

  @Nested
  class Virtual extends Shared {
    Virtual() {
      super("virtual:" + THREADS);
    }
  }

  /** The reference that the others are compared with. */
  @Nested
  class Single extends Lanes {
    Single() {
      super("single", false);
    }

    @Test
    void aFlushHoldsUpTheReadsBehindIt() throws InterruptedException {
      FaultyBacking.Gate gate = backing.hold(request -> request.op() == BlockOp.FLUSH);
      List<Job> held = submitHeld(BlockOp.FLUSH, 1);
      gate.awaitWaiting(1);
      held.addAll(submitHeld(BlockOp.READ, 1));
      assertThat(engine.drain(Duration.ofMillis(20))).isFalse();
      assertThat(backing.executed()).isEqualTo(1);
      gate.release();
      expectEnd(held);
    }
  }
}

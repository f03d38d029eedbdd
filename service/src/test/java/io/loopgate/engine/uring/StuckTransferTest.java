package io.loopgate.engine.uring;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.Job;
import io.loopgate.engine.TestLoop;
import io.loopgate.engine.netty.Ring;
import io.loopgate.engine.netty.RingOptions;
import io.loopgate.engine.netty.Rings;
import io.loopgate.telemetry.VolumeTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel does not end stays in flight, holds its place and its memory. */
class StuckTransferTest {
  private static final int BYTES = 64;
  private static final int CAPACITY = 3;
  private static final int DEPTH = 2;
  private static final Duration SHORT = Duration.ofMillis(20);

  private final TestLoop plain = new TestLoop(0);
  private final TestLoop withRing = RingLoops.take(1).getFirst();

  private static UringEngine open(Fifo fifo, TestLoop loop) {
    EngineEnvironment environment =
        new EngineEnvironment(
            "stuck",
            fifo,
            CAPACITY,
            false,
            List.of(loop),
            new VolumeTelemetry("stuck"),
            EngineOptions.DEFAULT.withDepth(DEPTH),
            new BlockingWrites());
    RingOptions options = new RingOptions(fifo.fd(), false);
    boolean own = Rings.has(loop);
    Optional<CompletionSink> here =
        own ? Optional.of(loop.completions()) : Optional.<CompletionSink>empty();
    Function<Ring.Listener, Ring> rings =
        own
            ? listener -> Rings.of(loop, options, listener)
            : listener -> Rings.shared(0, false, options, listener);
    return new UringEngine(environment, here, rings, SHORT);
  }

  private static boolean submit(UringEngine engine, Job job) {
    return submitAgain(engine, job.prepare(BlockOp.READ, 0, BYTES));
  }

  private static boolean submitAgain(UringEngine engine, Job job) {
    return job.loop().<Boolean>call(() -> engine.submit(job.request()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFullEngineRefusesUntilTheKernelEndsSomething(boolean own) throws Exception {
    TestLoop loop = own ? withRing : plain;
    try (Fifo fifo = new Fifo();
        UringEngine engine = open(fifo, loop);
        Job first = new Job(loop, BYTES);
        Job second = new Job(loop, BYTES);
        Job waiting = new Job(loop, BYTES);
        Job refused = new Job(loop, BYTES)) {
      assertThat(submit(engine, first)).isTrue();
      assertThat(submit(engine, second)).isTrue();
      assertThat(submit(engine, waiting)).isTrue();
      assertThat(submit(engine, refused)).isFalse();
      assertThat(engine.inFlight()).isEqualTo(CAPACITY);
      assertThat(engine.drain(SHORT)).isFalse();
      fifo.feed(pattern(CAPACITY * BYTES, 1));
      for (Job job : List.of(first, second, waiting)) {
        assertThat(job.awaitResult(1)).isEqualTo(BYTES);
      }
      assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
      fifo.feed(pattern(BYTES, 2));
      assertThat(submitAgain(engine, refused)).isTrue();
      assertThat(refused.awaitResult(1)).isEqualTo(BYTES);
      assertThat(refused.content(BYTES)).isEqualTo(pattern(BYTES, 2));
    } finally {
      plain.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTransferThatOutlivesItsEngineEndsWhenTheKernelIsDone(boolean own) throws Exception {
    TestLoop loop = own ? withRing : plain;
    try (Fifo fifo = new Fifo();
        Job stuck = new Job(loop, BYTES);
        Job alsoStuck = new Job(loop, BYTES);
        Job waiting = new Job(loop, BYTES)) {
      UringEngine engine = open(fifo, loop);
      assertThat(submit(engine, stuck)).isTrue();
      assertThat(submit(engine, alsoStuck)).isTrue();
      assertThat(submit(engine, waiting)).isTrue();
      engine.close();
      assertThat(waiting.awaitResult(1)).isEqualTo(-Errno.CLOSED);
      assertThat(stuck.completions()).isZero();
      assertThat(engine.inFlight()).isEqualTo(2);
      fifo.feed(pattern(2 * BYTES, 3));
      assertThat(stuck.awaitResult(1)).isEqualTo(BYTES);
      assertThat(alsoStuck.awaitResult(1)).isEqualTo(BYTES);
      assertThat(stuck.endedOnItsLoop()).isTrue();
      assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
    } finally {
      plain.close();
    }
  }

  @Test
  void aStuckVolumeHoldsUpNoOtherOnTheSameRing() throws Exception {
    try (Fifo slow = new Fifo();
        Fifo quick = new Fifo();
        UringEngine slowEngine = open(slow, withRing);
        UringEngine quickEngine = open(quick, withRing);
        Job stuck = new Job(withRing, BYTES);
        Job job = new Job(withRing, BYTES)) {
      assertThat(submit(slowEngine, stuck)).isTrue();
      quick.feed(pattern(BYTES, 4));
      assertThat(submit(quickEngine, job)).isTrue();
      assertThat(job.awaitResult(1)).isEqualTo(BYTES);
      assertThat(stuck.completions()).isZero();
      slow.feed(pattern(BYTES, 5));
      assertThat(stuck.awaitResult(1)).isEqualTo(BYTES);
      assertThat(stuck.content(BYTES)).isEqualTo(pattern(BYTES, 5));
    } finally {
      plain.close();
    }
  }
}

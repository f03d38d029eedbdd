package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.layer.NowaitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What every engine guarantees ({@link LoopEngine}), alone and under the NOWAIT layer: how commands
 * come and go, and all of {@link TransferContract}.
 */
public abstract class EngineContract extends TransferContract {
  /** Checks an engine on a buffered or direct file, with a NOWAIT layer unless the mode is OFF. */
  protected EngineContract(String spec, boolean direct, NowaitMode nowait) {
    super(spec, direct, nowait);
  }

  @Test
  void refusesWhenFullAndTheSlotIsTheSubmittersAgain() {
    reopen(LOOPS);
    missAlways();
    FaultyBacking.Gate gate = backing.hold();
    // An engine of several queues has room in each: all on one loop, unless that is occupied then.
    List<Job> held = runsInSubmit() ? holdOnePerLoop(gate) : holdOnFirstLoop(gate);
    if (runsInSubmit()) {
      loops.add(loop(LOOPS));
    }
    Job refused = job(runsInSubmit() ? LOOPS : 0).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    for (int i = 0; i < 5; i++) {
      assertThat(submit(refused)).isFalse();
    }
    assertThat(engine.inFlight()).isEqualTo(LOOPS);
    gate.release();
    held.forEach(job -> assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES));
    Await.until("room again", () -> engine.inFlight() == 0);
    assertThat(refused.completions()).isZero();
    assertThat(run(refused)).isEqualTo(BLOCK_BYTES);
    assertThat(refused.completions()).isEqualTo(1);
  }

  private List<Job> holdOnFirstLoop(FaultyBacking.Gate gate) {
    List<Job> held = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      Job job = job(0).prepare(BlockOp.READ, (long) i * BLOCK_BYTES, BLOCK_BYTES);
      assertThat(submit(job)).isTrue();
      held.add(job);
    }
    Await.until("one held", () -> gate.waiting() > 0);
    return held;
  }

  @Test
  void whoGotACompletionFindsRoom() {
    reopen(1);
    missAlways();
    // What runs in submit goes one call deeper with each.
    int rounds = runsInSubmit() ? 50 : 2_000;
    AtomicInteger refused = new AtomicInteger();
    Job job = job(0);
    job.then(
        () -> {
          if (job.completions() < rounds) {
            job.prepare(BlockOp.READ, 0, BLOCK_BYTES);
            if (!engine.submit(job.request())) {
              refused.incrementAndGet();
              job.loop().execute(() -> submitUntilAccepted(job));
            }
          }
        });
    assertThat(submit(job.prepare(BlockOp.READ, 0, BLOCK_BYTES))).isTrue();
    assertThat(job.awaitResult(rounds)).isEqualTo(BLOCK_BYTES);
    assertThat(refused.get()).isZero();
  }

  private void submitUntilAccepted(Job job) {
    if (!engine.submit(job.request())) {
      job.loop().execute(() -> submitUntilAccepted(job));
    }
  }

  @Test
  void countsWhatIsInFlightAndDrains() {
    missAlways();
    assertThat(engine.inFlight()).isZero();
    assertThat(engine.drain(Duration.ZERO)).isTrue();
    FaultyBacking.Gate gate = backing.hold();
    List<Job> held = holdOnePerLoop(gate);
    assertThat(engine.inFlight()).isEqualTo(LOOPS);
    assertThat(engine.drain(Duration.ofMillis(5))).isFalse();
    AtomicReference<Boolean> drained = new AtomicReference<>();
    Thread waiting =
        Thread.ofPlatform().start(() -> drained.set(engine.drain(Duration.ofSeconds(30))));
    Await.until("draining", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    gate.release();
    Await.until("drained", () -> drained.get() != null);
    assertThat(drained.get()).isTrue();
    assertThat(engine.inFlight()).isZero();
    held.forEach(job -> assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES));
    assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).as("drain does not close").isPositive();
  }

  @Test
  void closeEndsEverythingAndRefusesTheRest() throws InterruptedException {
    missAlways();
    FaultyBacking.Gate gate = backing.hold();
    List<Job> held = holdOnePerLoop(gate);
    Thread closing = Thread.ofPlatform().start(engine::close);
    Await.until(
        "closing",
        () ->
            closing.getState() == Thread.State.TIMED_WAITING
                || closing.getState() == Thread.State.TERMINATED);
    gate.release();
    assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
    for (Job job : held) {
      assertThat(job.awaitResult(1)).isIn((long) BLOCK_BYTES, (long) -Errno.CLOSED);
    }
    Job late = job(0).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    assertThat(submit(late)).isFalse();
    engine.close();
    loops.forEach(loop -> loop.run(() -> {}));
    assertThat(late.completions()).isZero();
    assertThat(held).allMatch(job -> job.completions() == 1).allMatch(Job::endedOnItsLoop);
    assertThat(engine.inFlight()).isZero();
    backing.heal();
    assertThat(submit(late)).as("also what needs no waiting").isFalse();
  }

  @Test
  void aBatchWakesTheLoopOnce() {
    missAlways();
    List<Job> batch = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      batch.add(job(0).prepare(BlockOp.READ, (long) i * BLOCK_BYTES, BLOCK_BYTES));
    }
    TestLoop loop = loops.getFirst();
    AtomicInteger wakeUps = new AtomicInteger();
    loop.run(
        () -> {
          for (Job job : batch) {
            assertThat(engine.submit(job.request())).isTrue();
          }
          // What an engine does at the end of a turn comes first; then the loop is busy.
          loop.execute(() -> wakeUps.set(tasksUntilAllEnded(loop)));
          if (!endsAnywhere()) {
            assertThat(batch).allMatch(job -> job.completions() == (runsInSubmit() ? 1 : 0));
          }
        });
    batch.forEach(job -> assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES));
    assertThat(wakeUps.get()).isLessThanOrEqualTo(runsInSubmit() ? 0 : 1);
  }

  /** Keeps the loop busy until then; returns how many tasks were handed to it meanwhile. */
  private int tasksUntilAllEnded(TestLoop loop) {
    if (beginsAfterTheTurn() || endsAnywhere()) {
      return 0;
    }
    int before = loop.tasks();
    Await.until("all ended while the loop is busy", () -> engine.inFlight() == 0);
    return loop.tasks() - before;
  }

  @Test
  void aSlotInUseCannotBeUsedAgain() {
    missAlways();
    FaultyBacking.Gate gate = backing.hold();
    List<Job> held = holdOnePerLoop(gate);
    for (Job job : held) {
      assertThatThrownBy(() -> job.prepare(BlockOp.READ, 0, BLOCK_BYTES))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("slot in use");
    }
    gate.release();
    held.forEach(job -> assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES));
    Job ended = held.getFirst();
    assertThatThrownBy(() -> ended.loop().run(() -> ended.request().runCompletion()))
        .hasRootCauseInstanceOf(IllegalStateException.class)
        .hasStackTraceContaining("ended twice");
    assertThat(ended.completions()).isEqualTo(1);
  }
}

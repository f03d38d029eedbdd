package io.loopgate.engine;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.VolumeTelemetry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every engine guarantees ({@link LoopEngine}), alone and under the NOWAIT layer. */
public abstract class EngineContract {
  private static final int SIZE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4096;
  private static final int MEMORY_BYTES = 16 * BLOCK_BYTES;
  private static final int LOOPS = 3;
  private static final int CAPACITY = 8;
  private static final long RETRY_NANOS = 100_000;

  private final String spec;
  private final boolean direct;
  private final NowaitMode nowait;
  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<TestLoop> loops = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private FaultyBacking backing;
  private LoopEngine engine;

  /** Checks an engine on a buffered or direct file, with a NOWAIT layer unless the mode is OFF. */
  protected EngineContract(String spec, boolean direct, NowaitMode nowait) {
    this.spec = spec;
    this.direct = direct;
    this.nowait = nowait;
  }

  /** Tells whether commands run inside submit. */
  protected boolean runsInSubmit() {
    return false;
  }

  /** Tells whether the commands of one turn of a loop are begun together, when it ends. */
  protected boolean beginsAfterTheTurn() {
    return false;
  }

  /** Starts an event loop of the kind that the engine runs on. */
  protected TestLoop loop(int index) {
    return new TestLoop(index);
  }

  /** Opens the backing below the one with faults. */
  protected Backing open(Path file, OpenOptions options) {
    return FileBackings.open(file, options);
  }

  /** Opens the engine. */
  protected LoopEngine open(String spec, EngineEnvironment environment) {
    return new EngineSelector().open(spec, environment).engine();
  }

  @BeforeEach
  void open() {
    FileBackings.create(image, SIZE_BYTES);
    backing = new FaultyBacking(open(image, new OpenOptions(false, direct, BLOCK_BYTES)));
    for (int i = 0; i < LOOPS; i++) {
      loops.add(loop(i));
    }
    engine = engine(CAPACITY);
  }

  private LoopEngine engine(int capacity) {
    VolumeTelemetry telemetry = new VolumeTelemetry("contract");
    EngineEnvironment environment =
        new EngineEnvironment("contract", backing, capacity, true, List.copyOf(loops), telemetry);
    LoopEngine opened = open(spec, environment);
    return nowait == NowaitMode.OFF
        ? opened
        : new NowaitLayer(opened, backing, nowait, telemetry, environment.blockingWrites());
  }

  private void reopen(int capacity) {
    engine.close();
    engine = engine(capacity);
  }

  @AfterEach
  void close() throws Exception {
    engine.close();
    loops.forEach(loop -> loop.run(() -> {}));
    loops.forEach(TestLoop::close);
    jobs.forEach(Job::close);
    backing.close();
    Files.delete(image);
  }

  private Job job(int loop) {
    Job job = new Job(loops.get(loop), MEMORY_BYTES);
    jobs.add(job);
    return job;
  }

  private boolean submit(Job job) {
    return job.loop().call(() -> engine.submit(job.request()));
  }

  /** Submits without waiting for submit to return. */
  private void submitSoon(Job job) {
    job.loop().execute(() -> assertThat(engine.submit(job.request())).isTrue());
  }

  private long run(Job job) {
    int before = job.completions();
    assertThat(submit(job)).isTrue();
    return job.awaitResult(before + 1);
  }

  private long run(BlockOp op, long offsetBytes, long lengthBytes) {
    return run(job(0).prepare(op, offsetBytes, lengthBytes));
  }

  /** Lets the engine under the layer see every command. */
  private void missAlways() {
    backing.forceTry(Errno.EAGAIN);
  }

  /** Holds one command of each loop in the engine. */
  private List<Job> holdOnePerLoop(FaultyBacking.Gate gate) {
    List<Job> held = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      Job job = job(i).prepare(BlockOp.READ, (long) i * BLOCK_BYTES, BLOCK_BYTES);
      submitSoon(job);
      held.add(job);
    }
    Await.until("all in flight", () -> engine.inFlight() == LOOPS);
    Await.until("one held", () -> gate.waiting() > 0);
    return held;
  }

  @Test
  void everyCommandEndsOnceOnItsOwnLoop() {
    List<Job> all = new ArrayList<>();
    for (int i = 0; i < LOOPS; i++) {
      long offset = (long) i * MEMORY_BYTES;
      Job job = job(i);
      all.add(job);
      byte[] bytes = pattern(MEMORY_BYTES, i);
      assertThat(run(job.fill(bytes).prepare(BlockOp.WRITE, offset, MEMORY_BYTES)))
          .isEqualTo(MEMORY_BYTES);
      assertThat(run(job.fill(new byte[MEMORY_BYTES]).prepare(BlockOp.READ, offset, MEMORY_BYTES)))
          .isEqualTo(MEMORY_BYTES);
      assertThat(Arrays.equals(job.content(MEMORY_BYTES), bytes)).isTrue();
      assertThat(run(job.prepare(BlockOp.ZERO, offset, BLOCK_BYTES))).isEqualTo(BLOCK_BYTES);
      assertThat(run(job.prepare(BlockOp.DISCARD, offset + BLOCK_BYTES, BLOCK_BYTES)))
          .isEqualTo(BLOCK_BYTES);
      assertThat(run(job.prepare(BlockOp.FLUSH, 0, 0))).isZero();
      assertThat(run(job.prepare(BlockOp.READ, offset, MEMORY_BYTES))).isEqualTo(MEMORY_BYTES);
      Arrays.fill(bytes, 0, 2 * BLOCK_BYTES, (byte) 0);
      assertThat(Arrays.equals(job.content(MEMORY_BYTES), bytes)).isTrue();
      byte[] durable = pattern(BLOCK_BYTES, 100 + i);
      job.fill(durable)
          .prepare(BlockOp.WRITE, offset, BLOCK_BYTES, BlockRequest.FUA, BlockRequest.NO_DEADLINE);
      assertThat(run(job)).isEqualTo(BLOCK_BYTES);
    }
    assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
    loops.forEach(loop -> loop.run(() -> {}));
    assertThat(all).allMatch(job -> job.completions() == 7).allMatch(Job::endedOnItsLoop);
  }

  @Test
  void refusesWhenFullAndTheSlotIsTheSubmittersAgain() {
    reopen(LOOPS);
    missAlways();
    FaultyBacking.Gate gate = backing.hold();
    TestLoop other = loop(LOOPS);
    Job refused = new Job(other, MEMORY_BYTES);
    try {
      List<Job> held = holdOnePerLoop(gate);
      refused.prepare(BlockOp.READ, 0, BLOCK_BYTES);
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
    } finally {
      gate.release();
      other.close();
      refused.close();
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
  void continuesShortTransfers() {
    backing.shortenTo(direct ? BLOCK_BYTES : 1000);
    byte[] bytes = pattern(MEMORY_BYTES, 7);
    Job job = job(0);
    assertThat(run(job.fill(bytes).prepare(BlockOp.WRITE, 0, MEMORY_BYTES)))
        .isEqualTo(MEMORY_BYTES);
    assertThat(job.doneBytes()).isEqualTo(MEMORY_BYTES);
    assertThat(run(job.fill(new byte[MEMORY_BYTES]).prepare(BlockOp.READ, 0, MEMORY_BYTES)))
        .isEqualTo(MEMORY_BYTES);
    assertThat(Arrays.equals(job.content(MEMORY_BYTES), bytes)).isTrue();
    assertThat(run(job.prepare(BlockOp.ZERO, 0, 2 * BLOCK_BYTES))).isEqualTo(2 * BLOCK_BYTES);
    assertThat(run(job.prepare(BlockOp.DISCARD, 2 * BLOCK_BYTES, 2 * BLOCK_BYTES)))
        .isEqualTo(2 * BLOCK_BYTES);
    assertThat(run(job.prepare(BlockOp.READ, 0, MEMORY_BYTES))).isEqualTo(MEMORY_BYTES);
    Arrays.fill(bytes, 0, 4 * BLOCK_BYTES, (byte) 0);
    assertThat(Arrays.equals(job.content(MEMORY_BYTES), bytes)).isTrue();
  }

  @Test
  void interruptedAndPostponedStepsAreTriedAgainForAWhile() {
    missAlways();
    for (int errno : new int[] {Errno.EINTR, Errno.EAGAIN}) {
      for (BlockOp op : new BlockOp[] {BlockOp.READ, BlockOp.WRITE, BlockOp.ZERO}) {
        backing.heal();
        missAlways();
        backing.fail(request -> request.op() == op, errno, 1, 5);
        assertThat(run(op, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
      }
      backing.heal();
      missAlways();
      backing.failAll(BlockOp.READ, errno);
      long before = backing.executed();
      assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isEqualTo(-errno);
      assertThat(backing.executed() - before).isBetween(6L, 100L);
    }
  }

  @Test
  void progressForgivesFruitlessSteps() {
    missAlways();
    backing
        .shortenTo(BLOCK_BYTES)
        .fail(request -> request.doneBytes() == 0, Errno.EINTR, 1, 12)
        .fail(request -> request.doneBytes() == BLOCK_BYTES, Errno.EAGAIN, 1, 12);
    assertThat(run(BlockOp.READ, 0, 2 * BLOCK_BYTES)).isEqualTo(2 * BLOCK_BYTES);
  }

  @Test
  void aStepThatMovesNothingIsAnError() {
    missAlways();
    for (BlockOp op : BlockOp.values()) {
      if (op != BlockOp.FLUSH) {
        backing.heal();
        missAlways();
        backing.failAll(op, 0);
        assertThat(run(op, 0, BLOCK_BYTES)).as("%s", op).isEqualTo(-Errno.EIO);
      }
    }
  }

  @Test
  void errorsComeThroughWithTheirNumber() {
    missAlways();
    backing.failAll(BlockOp.WRITE, Errno.ENOSPC).failFlush(Errno.EIO);
    assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isEqualTo(-Errno.ENOSPC);
    assertThat(run(BlockOp.FLUSH, 0, 0)).isEqualTo(-Errno.EIO);
    backing.heal();
    missAlways();
    backing
        .shortenTo(BLOCK_BYTES)
        .failAt(BlockOp.READ, 2 * BLOCK_BYTES, Errno.ENODEV)
        .failAll(BlockOp.DISCARD, Errno.EOPNOTSUPP);
    backing.fail(
        request -> request.op() == BlockOp.READ && request.doneBytes() == 0, Errno.EINTR, 1, 1);
    Job job = job(1).prepare(BlockOp.READ, BLOCK_BYTES / 4 * 4, 4 * BLOCK_BYTES);
    assertThat(run(job)).isEqualTo(-Errno.ENODEV);
    assertThat(run(BlockOp.DISCARD, 0, BLOCK_BYTES)).isEqualTo(-Errno.EOPNOTSUPP);
  }

  @Test
  void anErrorTellsHowFarTheCommandCame() {
    missAlways();
    backing
        .shortenTo(BLOCK_BYTES)
        .fail(request -> request.doneBytes() == 2 * BLOCK_BYTES, Errno.EIO, 1, 1);
    Job job = job(1).prepare(BlockOp.READ, 0, 4 * BLOCK_BYTES);
    assertThat(run(job)).isEqualTo(-Errno.EIO);
    assertThat(job.doneBytes()).isEqualTo(2 * BLOCK_BYTES);
  }

  @Test
  void anExpiredCommandIsDroppedUnexecuted() {
    missAlways();
    for (BlockOp op : BlockOp.values()) {
      Job job = job(0);
      job.prepare(op, 0, op == BlockOp.FLUSH ? 0 : BLOCK_BYTES, 0, System.nanoTime() - 1);
      assertThat(run(job)).as("%s", op).isEqualTo(-Errno.DEADLINE);
    }
    assertThat(backing.executed()).isZero();
    Job inTime = job(0);
    inTime.prepare(
        BlockOp.READ, 0, BLOCK_BYTES, 0, System.nanoTime() + Duration.ofMinutes(1).toNanos());
    assertThat(run(inTime)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void aFlushIsNeverTriedAgain() {
    for (int errno : new int[] {Errno.EIO, Errno.EINTR, Errno.EAGAIN}) {
      backing.heal().failNth(BlockOp.FLUSH, 1, errno);
      long before = backing.executed();
      assertThat(run(BlockOp.FLUSH, 0, 0)).isEqualTo(-errno);
      assertThat(backing.executed() - before).isEqualTo(1);
    }
  }

  @Test
  void aFlushRunsBehindTheWritesThatHadEnded() {
    missAlways();
    ConcurrentLinkedQueue<BlockOp> order = new ConcurrentLinkedQueue<>();
    backing.fail(
        request -> {
          order.add(request.op());
          return false;
        },
        Errno.EIO,
        1,
        1);
    assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    assertThat(run(BlockOp.FLUSH, 0, 0)).isZero();
    assertThat(order).containsExactly(BlockOp.WRITE, BlockOp.FLUSH);
  }

  @Test
  void aBatchWakesTheLoopOnce() {
    missAlways();
    List<Job> batch = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      batch.add(job(0).prepare(BlockOp.READ, (long) i * BLOCK_BYTES, BLOCK_BYTES));
    }
    TestLoop loop = loops.getFirst();
    int before = loop.tasks();
    loop.run(
        () -> {
          for (Job job : batch) {
            assertThat(engine.submit(job.request())).isTrue();
          }
          if (!beginsAfterTheTurn()) {
            Await.until("all ended while the loop is busy", () -> engine.inFlight() == 0);
          }
          assertThat(batch).allMatch(job -> job.completions() == (runsInSubmit() ? 1 : 0));
        });
    batch.forEach(job -> assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES));
    if (!beginsAfterTheTurn()) {
      assertThat(loop.tasks() - before).isEqualTo(runsInSubmit() ? 0 : 1);
    }
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

  @Test
  void aBugBelowEndsTheCommandAndNothingElse() {
    missAlways();
    backing.fail(
        request -> {
          if (request.op() == BlockOp.WRITE) {
            throw new IllegalStateException("a bug in a backing");
          }
          return false;
        },
        Errno.EIO,
        1,
        1);
    for (int i = 0; i < 5; i++) {
      assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isEqualTo(-Errno.EIO);
    }
    assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void manyCommandsOfManyLoopsKeepTheirContent() {
    int rounds = 40;
    int slots = CAPACITY;
    List<Rounds> all = new ArrayList<>();
    for (int i = 0; i < LOOPS * slots; i++) {
      all.add(new Rounds(job(i % LOOPS), (long) i * 2 * BLOCK_BYTES, rounds, i));
    }
    for (Rounds one : all) {
      one.job.loop().execute(one::begin);
    }
    for (Rounds one : all) {
      one.job.awaitResult(2 * rounds);
    }
    assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
    loops.forEach(loop -> loop.run(() -> {}));
    for (Rounds one : all) {
      assertThat(one.failures.get()).as("commands with a wrong result or content").isZero();
      assertThat(one.job.completions()).isEqualTo(2 * rounds);
      assertThat(one.job.endedOnItsLoop()).isTrue();
    }
  }

  /** Writes a range and reads it back, again and again, each time from the last completion. */
  private final class Rounds {
    private final Job job;
    private final long offsetBytes;
    private final int rounds;
    private final int seed;
    private final AtomicInteger failures = new AtomicInteger();
    private int commands;
    private byte[] bytes = new byte[0];

    Rounds(Job job, long offsetBytes, int rounds, int seed) {
      this.job = job;
      this.offsetBytes = offsetBytes;
      this.rounds = rounds;
      this.seed = seed;
      job.then(this::ended);
    }

    void begin() {
      if (commands % 2 == 0) {
        bytes = pattern(2 * BLOCK_BYTES, seed * 1000L + commands);
        job.fill(bytes).prepare(BlockOp.WRITE, offsetBytes, bytes.length);
      } else {
        job.fill(new byte[bytes.length]).prepare(BlockOp.READ, offsetBytes, bytes.length);
      }
      offer();
    }

    /** More slots than the engine has room for: what is refused comes again, after a while. */
    private void offer() {
      if (!engine.submit(job.request())) {
        job.loop().schedule(this::offer, RETRY_NANOS);
      }
    }

    private void ended() {
      boolean wasRead = commands % 2 == 1;
      if (job.result() != bytes.length
          || (wasRead && !Arrays.equals(job.content(bytes.length), bytes))) {
        failures.incrementAndGet();
      }
      commands++;
      if (commands < 2 * rounds) {
        begin();
      }
    }
  }
}

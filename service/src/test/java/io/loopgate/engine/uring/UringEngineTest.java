package io.loopgate.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.Job;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.VolumeTelemetry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into a ring, what waits for it, what goes past it. */
class UringEngineTest {
  private static final int SIZE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4096;
  private static final int DEPTH = 2;
  private static final int CAPACITY = 6;
  private static final Duration SHORT = Duration.ofMillis(20);

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final TestLoop owner = new TestLoop(0);
  private final TestLoop other = new TestLoop(1);
  private final List<Job> jobs = new ArrayList<>();
  private final BlockingWrites blockingWrites = new BlockingWrites();
  private FaultyBacking backing;
  private HeldRing ring;
  private UringEngine engine;

  @BeforeEach
  void open() {
    FileBackings.create(image, SIZE_BYTES);
    backing =
        new FaultyBacking(FileBackings.open(image, new OpenOptions(false, true, BLOCK_BYTES)));
    EngineEnvironment environment =
        new EngineEnvironment(
            "held",
            backing,
            CAPACITY,
            false,
            List.of(owner, other),
            new VolumeTelemetry("held"),
            EngineOptions.DEFAULT.withDepth(DEPTH),
            blockingWrites);
    List<HeldRing> made = new ArrayList<>();
    engine =
        new UringEngine(
            environment,
            Optional.of(owner.completions()),
            listener -> {
              made.add(new HeldRing(owner, listener));
              return made.getFirst();
            },
            SHORT);
    ring = made.getFirst();
  }

  @AfterEach
  void close() throws Exception {
    engine.close();
    owner.close();
    other.close();
    jobs.forEach(Job::close);
    backing.close();
    Files.delete(image);
  }

  private Job job(TestLoop loop) {
    Job job = new Job(loop, 4 * BLOCK_BYTES);
    jobs.add(job);
    return job;
  }

  private Job submit(Job job) {
    assertThat(job.loop().<Boolean>call(() -> engine.submit(job.request()))).isTrue();
    return job;
  }

  private Job read(TestLoop loop, int block) {
    return submit(job(loop).prepare(BlockOp.READ, (long) block * BLOCK_BYTES, BLOCK_BYTES));
  }

  @Test
  void noMoreThanTheDepthAreInTheRingAndTheRestWaitInOrder() {
    List<Job> reads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      reads.add(read(owner, i));
    }
    assertThat(ring.count()).isEqualTo(DEPTH);
    for (int i = 0; i < 5; i++) {
      assertThat(ring.transfer(i).offsetBytes()).isEqualTo((long) i * BLOCK_BYTES);
      ring.end(i);
      assertThat(ring.count()).isEqualTo(Math.min(5, DEPTH + i + 1));
      assertThat(reads.get(i).awaitResult(1)).isEqualTo(BLOCK_BYTES);
    }
    assertThat(engine.inFlight()).isZero();
  }

  @Test
  void transfersInFlightHaveSlotsOfTheirOwn() {
    for (int i = 0; i < 4; i++) {
      read(owner, i);
    }
    assertThat(ring.transfer(0).slot()).isNotEqualTo(ring.transfer(1).slot());
    ring.end(1);
    assertThat(ring.transfer(2).slot()).isEqualTo(ring.transfer(1).slot());
    ring.end(0);
    assertThat(ring.transfer(3).slot()).isEqualTo(ring.transfer(0).slot());
    ring.end(2);
    ring.end(3);
  }

  @Test
  void theQueueIsFullAtItsCapacityAndNotBefore() {
    for (int i = 0; i < CAPACITY; i++) {
      read(i % 2 == 0 ? owner : other, i);
    }
    Job refused = job(owner).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    assertThat(owner.<Boolean>call(() -> engine.submit(refused.request()))).isFalse();
    ring.end(0);
    submit(refused);
    for (int i = 1; i <= CAPACITY; i++) {
      ring.end(i);
    }
    assertThat(refused.awaitResult(1)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void commandsOfTheRingsOwnLoopEndWithoutAnotherTask() {
    Job own = read(owner, 0);
    int before = owner.tasks();
    ring.end(0);
    assertThat(own.completions()).isEqualTo(1);
    assertThat(owner.tasks()).isEqualTo(before);
    assertThat(own.endedOnItsLoop()).isTrue();
  }

  @Test
  void aBatchFromAnotherLoopWakesTheRingOnce() {
    List<Job> batch = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      batch.add(job(other).prepare(BlockOp.READ, (long) i * BLOCK_BYTES, BLOCK_BYTES));
    }
    var hold = owner.hold();
    int before = owner.tasks();
    batch.forEach(this::submit);
    hold.countDown();
    assertThat(owner.tasks() - before).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      assertThat(ring.transfer(i).offsetBytes()).isEqualTo((long) i * BLOCK_BYTES);
      ring.end(i);
      assertThat(batch.get(i).awaitResult(1)).isEqualTo(BLOCK_BYTES);
      assertThat(batch.get(i).endedOnItsLoop()).isTrue();
    }
  }

  @Test
  void aShortTransferIsContinuedInItsSlot() {
    Job job = submit(job(owner).prepare(BlockOp.READ, 0, 3 * BLOCK_BYTES));
    ring.end(0, BLOCK_BYTES);
    assertThat(ring.transfer(1).slot()).isEqualTo(ring.transfer(0).slot());
    assertThat(ring.transfer(1).offsetBytes()).isEqualTo(BLOCK_BYTES);
    assertThat(ring.transfer(1).lengthBytes()).isEqualTo(2 * BLOCK_BYTES);
    ring.end(1);
    assertThat(job.awaitResult(1)).isEqualTo(3 * BLOCK_BYTES);
    assertThat(backing.executed()).isZero();
  }

  @Test
  void aShortTransferWhoseRestIsMisalignedIsTheBackingsAffair() {
    Job job = submit(job(owner).prepare(BlockOp.READ, 0, 2 * BLOCK_BYTES));
    ring.end(0, 100);
    assertThat(job.awaitResult(1)).isEqualTo(-Errno.EINVAL);
    assertThat(job.doneBytes()).isEqualTo(100);
    assertThat(ring.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        Errno.EINTR,
        Errno.EAGAIN,
        Errno.EOPNOTSUPP,
        Errno.EINVAL,
        Errno.ENOSPC,
        Errno.ECANCELED
      })
  void anOddResultIsTriedByTheBackingAndHoldsNoSlot(int errno) {
    FaultyBacking.Gate gate = backing.hold();
    List<Job> odd = List.of(read(owner, 0), read(owner, 1));
    Job behind = read(owner, 2);
    ring.end(0, -errno);
    ring.end(1, -errno);
    ring.end(2);
    assertThat(behind.awaitResult(1)).as("overtakes").isEqualTo(BLOCK_BYTES);
    assertThat(odd).allMatch(job -> job.completions() == 0);
    gate.release();
    assertThat(odd).allMatch(job -> job.awaitResult(1) == BLOCK_BYTES);
    assertThat(backing.executed()).isEqualTo(2);
  }

  @Test
  void aFailureOfTheDeviceEndsTheCommand() {
    Job job = read(owner, 0);
    ring.end(0, -Errno.EIO);
    assertThat(job.awaitResult(1)).isEqualTo(-Errno.EIO);
    assertThat(backing.executed()).isZero();
  }

  @Test
  void aFlushHoldsUpNoRead() {
    FaultyBacking.Gate gate = backing.hold();
    Job flush = submit(job(other).prepare(BlockOp.FLUSH, 0, 0));
    Await.until("flushing", () -> gate.waiting() == 1);
    for (int i = 0; i < 4; i++) {
      Job read = read(owner, i);
      ring.end(i);
      assertThat(read.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    }
    assertThat(flush.completions()).isZero();
    gate.release();
    assertThat(flush.awaitResult(1)).isZero();
  }

  @Test
  void aCommandThatExpiresWhileItWaitsIsDropped() {
    read(owner, 0);
    read(owner, 1);
    long deadlineNanos = System.nanoTime() + SHORT.toNanos();
    Job late = job(owner).prepare(BlockOp.READ, 0, BLOCK_BYTES, 0, deadlineNanos);
    submit(late);
    Await.until("late", () -> System.nanoTime() - deadlineNanos > 0);
    assertThat(late.completions()).isZero();
    ring.end(0);
    assertThat(late.awaitResult(1)).isEqualTo(-Errno.DEADLINE);
    ring.end(1);
    assertThat(ring.count()).isEqualTo(2);
    assertThat(engine.inFlight()).isZero();
  }

  @Test
  void misalignedTransfersAreRefused() {
    Job offset = submit(job(owner).prepare(BlockOp.READ, 100, BLOCK_BYTES));
    Job length = submit(job(other).prepare(BlockOp.WRITE, 0, 100));
    assertThat(offset.awaitResult(1)).isEqualTo(-Errno.EINVAL);
    assertThat(length.awaitResult(1)).isEqualTo(-Errno.EINVAL);
    assertThat(ring.count()).isZero();
  }

  @Test
  void whatTheRingDoesNotTakeTheOtherThreadRuns() {
    ring.refuse();
    Job job = read(owner, 0);
    assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(backing.executed()).isEqualTo(1);
  }

  @Test
  void commandsGoOnWhenTheRingsThreadHasEnded() {
    ring.endThread();
    Job job = read(other, 0);
    assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(backing.executed()).isEqualTo(1);
  }

  @Test
  void aLoopThatEndsTakesTheEngineAlong() {
    read(owner, 0);
    read(owner, 1);
    Job waiting = read(owner, 2);
    ring.loopCloses();
    assertThat(waiting.awaitResult(1)).isEqualTo(-Errno.CLOSED);
    Job late = job(other).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    assertThat(other.<Boolean>call(() -> engine.submit(late.request()))).isFalse();
    ring.end(0);
    ring.end(1);
    assertThat(engine.drain(SHORT)).isTrue();
  }

  @Test
  void aStuckTransferOutlivesTheEngineAndKeepsItsSlot() {
    Job stuck = read(owner, 0);
    Job alsoStuck = submit(job(other).prepare(BlockOp.WRITE, 0, 2 * BLOCK_BYTES));
    ring.transfer(1);
    Job waiting = read(owner, 2);
    engine.close();
    assertThat(waiting.awaitResult(1)).isEqualTo(-Errno.CLOSED);
    assertThat(ring.isClosed()).isTrue();
    assertThat(engine.inFlight()).isEqualTo(2);
    assertThat(stuck.completions()).isZero();
    ring.end(0);
    assertThat(stuck.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    // Its rest would need an engine that is closed.
    ring.refuse();
    ring.end(1, BLOCK_BYTES);
    assertThat(alsoStuck.awaitResult(1)).isEqualTo(-Errno.CLOSED);
    assertThat(alsoStuck.doneBytes()).isEqualTo(BLOCK_BYTES);
    assertThat(engine.inFlight()).isZero();
  }

  @Test
  void onlyWritesOutsideOfTheRingAreKnownToWait() {
    FaultyBacking.Gate gate = backing.hold();
    Job inRing = submit(job(owner).prepare(BlockOp.WRITE, 0, BLOCK_BYTES));
    assertThat(blockingWrites.any()).isFalse();
    ring.end(0, -Errno.EAGAIN);
    assertThat(blockingWrites.any()).isTrue();
    gate.release();
    assertThat(inRing.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(blockingWrites.any()).isFalse();
  }

  @Test
  void durableWritesGoIntoTheRingWhereTheFileCanDoThem() {
    Job job =
        job(owner)
            .prepare(BlockOp.WRITE, 0, BLOCK_BYTES, BlockRequest.FUA, BlockRequest.NO_DEADLINE);
    submit(job);
    assertThat(backing.capabilities().dsync().available()).isTrue();
    assertThat(ring.transfer(0).request().isFua()).isTrue();
    ring.end(0);
    assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void aCompletionThatThrowsHurtsNoOther() {
    Job failing = job(owner).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    failing.then(
        () -> {
          throw new IllegalStateException("a bug above");
        });
    submit(failing);
    Job next = read(owner, 1);
    ring.end(0);
    ring.end(1);
    assertThat(next.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(engine.inFlight()).isZero();
  }

  @Test
  void aCompletionMaySubmitIntoThePlaceItLeft() {
    Job again = job(owner).prepare(BlockOp.READ, 0, BLOCK_BYTES);
    again.then(
        () -> {
          if (again.completions() == 1) {
            again.prepare(BlockOp.READ, BLOCK_BYTES, BLOCK_BYTES);
            assertThat(engine.submit(again.request())).isTrue();
          }
        });
    submit(again);
    for (int i = 1; i < CAPACITY; i++) {
      read(owner, i);
    }
    for (int i = 0; i <= CAPACITY; i++) {
      ring.end(i);
    }
    assertThat(again.awaitResult(2)).isEqualTo(BLOCK_BYTES);
    assertThat(jobs).allMatch(Job::endedOnItsLoop);
  }
}

package io.loopgate.engine.aio;

import static io.loopgate.backing.BackingFixture.pattern;
import static io.loopgate.block.BlockOp.READ;
import static io.loopgate.block.BlockOp.WRITE;
import static io.loopgate.engine.aio.AioRig.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.Job;
import io.loopgate.engine.NowaitDirection;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.NowaitOutcome;
import io.netty.channel.epoll.EpollIoHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How {@code aio} batches, merges, tries without waiting and falls back, over a made-up kernel. */
class AioEngineTest {
  private static final EngineOptions OPTIONS = EngineOptions.DEFAULT;
  private static final EngineOptions NOT_MERGING = OPTIONS.withMerge(false);
  private static final int BLOCKS = 512;

  private final AioRig rig = new AioRig(BLOCKS, 2, AioEngineTest::loop).written();

  private static TestLoop loop(int index) {
    return new TestLoop(index, EpollIoHandler.newFactory());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private Job[] jobs(BlockOp op, int... blocks) {
    return Arrays.stream(blocks)
        .mapToObj(block -> rig.job(0, op, block, 1).fill(pattern(BLOCK_BYTES, block)))
        .toArray(Job[]::new);
  }

  private static void awaitAll(long result, Job... jobs) {
    for (Job job : jobs) {
      assertThat(job.awaitResult(1)).isEqualTo(result);
    }
  }

  @Test
  void commandsOfOneTurnShareOneSubmission() {
    rig.onFakeKernel(NOT_MERGING);
    int tasks = rig.loop(0).tasks();
    Job[] batch = jobs(READ, 1, 2, 30, 4, 50);
    rig.submit(batch);
    awaitAll(BLOCK_BYTES, batch);
    assertThat(rig.kernel().submissions()).isEqualTo(1);
    assertThat(rig.loop(0).tasks() - tasks).as("one flush, no wake-up").isEqualTo(1);
    assertThat(rig.telemetry().merged()).isZero();
  }

  @Test
  void aFullBatchDoesNotWaitForTheTurnToEnd() {
    rig.onFakeKernel(NOT_MERGING.withDepth(4));
    Job[] batch = jobs(READ, 10, 20, 30, 40);
    rig.loop(0)
        .run(
            () -> {
              for (Job job : batch) {
                assertThat(rig.engine().submit(job.request())).isTrue();
              }
              assertThat(rig.kernel().submissions()).isEqualTo(1);
              assertThat(batch).allMatch(job -> job.completions() == 1);
            });
  }

  @Test
  void commandsBeyondTheDepthWaitAndThenGo() {
    rig.onFakeKernel(NOT_MERGING.withDepth(2));
    rig.faulty().forceTry(Errno.EAGAIN);
    FaultyBacking.Gate gate = rig.faulty().hold();
    Job[] batch = jobs(READ, 10, 20, 30, 40, 50, 60, 70);
    rig.submit(batch);
    Await.until("as many as the depth", () -> gate.waiting() == 2);
    assertThat(rig.engine().inFlight()).isEqualTo(batch.length);
    gate.release();
    awaitAll(BLOCK_BYTES, batch);
  }

  @Test
  void whatExpiresWhileItWaitsIsDropped() {
    rig.onFakeKernel(NOT_MERGING.withDepth(1));
    rig.faulty().forceTry(Errno.EAGAIN);
    FaultyBacking.Gate gate = rig.faulty().hold();
    Job first = rig.job(0, READ, 1, 1);
    rig.submit(first);
    Await.until("held", () -> gate.waiting() == 1);
    long soon = System.nanoTime() + 50_000_000;
    Job late = rig.job(0, 1).prepare(READ, 0, BLOCK_BYTES, 0, soon);
    Job patient = rig.job(0, READ, 5, 1);
    rig.submit(late, patient);
    Await.until("expired", () -> System.nanoTime() - soon > 0);
    gate.release();
    assertThat(late.awaitResult(1)).isEqualTo(-Errno.DEADLINE);
    awaitAll(BLOCK_BYTES, first, patient);
    assertThat(rig.faulty().executed()).isEqualTo(2);
  }

  @Test
  void whatExpiresInFrontOfTheWorkerIsDropped() {
    rig.onFakeKernel(OPTIONS);
    rig.faulty().forceTry(Errno.EAGAIN);
    CountDownLatch waits = rig.kernel().waitToSubmit(op -> true);
    Job first = rig.job(0, WRITE, 1, 1);
    rig.submit(first);
    Await.until("the worker has it", () -> rig.kernel().submissions() == 2);
    long soon = System.nanoTime() + 50_000_000;
    Job late = rig.job(0, 1).prepare(READ, 10 * BLOCK_BYTES, BLOCK_BYTES, 0, soon);
    Job patient = rig.job(0, READ, 11, 1);
    Job lateToo = rig.job(0, 1).prepare(READ, 12 * BLOCK_BYTES, BLOCK_BYTES, 0, soon);
    rig.submit(late, patient, lateToo);
    Await.until("merged", () -> rig.telemetry().merged() == 2);
    Await.until("expired", () -> System.nanoTime() - soon > 0);
    waits.countDown();
    awaitAll(-Errno.DEADLINE, late, lateToo);
    awaitAll(BLOCK_BYTES, first, patient);
    assertThat(rig.faulty().executed()).isEqualTo(2);
  }

  @Test
  void adjacentCommandsBecomeOne() {
    rig.onFakeKernel(OPTIONS);
    Job[] writes = jobs(WRITE, 8, 9, 100, 10, 101, 11);
    rig.submit(writes);
    awaitAll(BLOCK_BYTES, writes);
    assertThat(rig.kernel().partsOfCommands()).containsExactly(4, 2);
    assertThat(rig.telemetry().merged()).isEqualTo(4);
    assertThat(rig.nowait(WRITE, NowaitOutcome.HIT)).isEqualTo(6);
    for (int block : new int[] {8, 9, 10, 11, 100, 101}) {
      assertThat(rig.content(block, 1)).isEqualTo(pattern(BLOCK_BYTES, block));
    }
    Job[] reads = jobs(READ, 100, 8, 9, 10, 101, 11);
    rig.submit(reads);
    awaitAll(BLOCK_BYTES, reads);
    for (Job read : reads) {
      long block = read.request().offsetBytes() / BLOCK_BYTES;
      assertThat(read.content(BLOCK_BYTES)).isEqualTo(pattern(BLOCK_BYTES, block));
      assertThat(read.doneBytes()).isEqualTo(BLOCK_BYTES);
    }
    assertThat(rig.telemetry().merged()).isEqualTo(8);
  }

  @Test
  void commandsThatDifferDoNotMerge() {
    rig.onFakeKernel(OPTIONS);
    Job read = rig.job(0, READ, 20, 1);
    Job write = rig.job(0, WRITE, 21, 1);
    Job durable =
        rig.job(0, 1)
            .prepare(
                WRITE, 22 * BLOCK_BYTES, BLOCK_BYTES, BlockRequest.FUA, BlockRequest.NO_DEADLINE);
    rig.submit(read, write, durable);
    awaitAll(BLOCK_BYTES, read, write, durable);
    assertThat(rig.telemetry().merged()).isZero();
  }

  @Test
  void waitingCommandsFindTheirNeighbours() {
    rig.onFakeKernel(OPTIONS.withDepth(1));
    rig.faulty().forceTry(Errno.EAGAIN);
    FaultyBacking.Gate gate = rig.faulty().hold();
    Job first = rig.job(0, READ, 0, 1);
    rig.submit(first);
    Await.until("held", () -> gate.waiting() == 1);
    List<Job> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Job job = rig.job(i % 2, READ, 30 + i, 1);
      rig.submit(job);
      waiting.add(job);
    }
    gate.release();
    awaitAll(BLOCK_BYTES, waiting.toArray(Job[]::new));
    assertThat(rig.telemetry().merged()).isEqualTo(9);
  }

  @Test
  void aMergedCommandThatIsShortGoesOnPartByPart() {
    rig.onFakeKernel(OPTIONS);
    rig.faulty().forceTry(Errno.EAGAIN).fail(request -> at(request, 42), 0, 1, 1);
    Job[] writes = jobs(WRITE, 40, 41, 42, 43);
    rig.submit(writes);
    awaitAll(BLOCK_BYTES, writes);
    assertThat(rig.kernel().partsOfCommands()).containsExactly(4, 4, 1, 1);
    for (int block = 40; block < 44; block++) {
      assertThat(rig.content(block, 1)).isEqualTo(pattern(BLOCK_BYTES, block));
    }
  }

  private static boolean at(BlockRequest request, int block) {
    return request.offsetBytes() == (long) block * BLOCK_BYTES;
  }

  @Test
  void aMergedCommandThatFailsGivesEachPartItsOwnResult() {
    rig.onFakeKernel(OPTIONS);
    rig.faulty().forceTry(Errno.EAGAIN).failAt(WRITE, 40L * BLOCK_BYTES, Errno.EIO);
    rig.faulty().failAt(WRITE, 42L * BLOCK_BYTES, Errno.ENOSPC);
    Job[] writes = jobs(WRITE, 40, 41, 42, 43);
    rig.submit(writes);
    assertThat(writes[0].awaitResult(1)).isEqualTo(-Errno.EIO);
    assertThat(writes[1].awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(writes[2].awaitResult(1)).isEqualTo(-Errno.ENOSPC);
    assertThat(writes[3].awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(writes).allMatch(job -> job.completions() == 1);
  }

  @Test
  void aShortTryIsContinuedByTheWorker() {
    rig.onFakeKernel(OPTIONS);
    rig.faulty().shortenTo(BLOCK_BYTES);
    Job job = rig.job(0, WRITE, 5, 4).fill(pattern(4 * BLOCK_BYTES, 5));
    assertThat(rig.run(job)).isEqualTo(4 * BLOCK_BYTES);
    assertThat(job.doneBytes()).isEqualTo(4 * BLOCK_BYTES);
    assertThat(rig.content(5, 4)).isEqualTo(pattern(4 * BLOCK_BYTES, 5));
    assertThat(rig.nowait(WRITE, NowaitOutcome.SHORT)).isEqualTo(1);
    assertThat(rig.faulty().tried()).as("the rest is not tried").isEqualTo(1);
  }

  @Test
  void aMissGoesToTheWorkerAndIsCounted() {
    rig.onFakeKernel(NOT_MERGING);
    rig.faulty().forceTry(Errno.EAGAIN);
    Job[] reads = jobs(READ, 1, 2, 3);
    rig.submit(reads);
    awaitAll(BLOCK_BYTES, reads);
    assertThat(rig.nowait(READ, NowaitOutcome.AGAIN)).isEqualTo(3);
    assertThat(rig.nowait(READ, NowaitOutcome.HIT)).isZero();
  }

  /** Else who polls would stop, while the next one is on its way from the queue to the slot. */
  @Test
  void inTheMiddleOfARoundSomethingMayBePending() {
    AioEngine engine = rig.openFake(NOT_MERGING.withDepth(1), SubmitPolicy.NOWAIT_FIRST);
    Job job = rig.job(0, READ, 1, 1);
    AtomicBoolean pending = new AtomicBoolean();
    job.then(() -> pending.set(engine.hasPending()));
    rig.submit(job);
    awaitAll(BLOCK_BYTES, job);
    assertThat(pending).isTrue();
    Await.until("none is pending", () -> !engine.hasPending());
  }

  @Test
  void aFileThatNeverDoesItIsNotAskedAgain() {
    rig.onFakeKernel(NOT_MERGING);
    rig.faulty().forceTry(Errno.EOPNOTSUPP);
    for (int i = 0; i < 3; i++) {
      Job[] both = {rig.job(0, READ, i, 1), rig.job(0, WRITE, 100 + i, 1)};
      rig.submit(both);
      awaitAll(BLOCK_BYTES, both);
    }
    for (BlockOp op : new BlockOp[] {READ, WRITE}) {
      assertThat(rig.nowait(op, NowaitOutcome.UNSUPPORTED)).isEqualTo(1);
      assertThat(rig.nowait(op, NowaitOutcome.SKIPPED)).isEqualTo(2);
    }
  }

  @Test
  void aWayThatNeverHitsIsDemotedAndProbed() {
    rig.onFakeKernel(NOT_MERGING);
    rig.faulty().forceTry(Errno.EAGAIN);
    Job job = rig.job(0, 1);
    int commands = 20 * NowaitDirection.PROBE_EVERY;
    for (int i = 0; i < commands; i++) {
      assertThat(rig.run(job.prepare(READ, 0, BLOCK_BYTES))).isEqualTo(BLOCK_BYTES);
    }
    long demoted = rig.nowait(READ, NowaitOutcome.DEMOTED);
    long again = rig.nowait(READ, NowaitOutcome.AGAIN);
    assertThat(demoted + again).isEqualTo(commands);
    assertThat(demoted).isGreaterThan(commands / 2);
    assertThat(rig.faulty().tried()).isEqualTo(again);
    rig.faulty().heal();
    Await.until(
        "noticed that it pays again",
        () -> {
          rig.run(job.prepare(READ, 0, BLOCK_BYTES));
          return rig.nowait(READ, NowaitOutcome.HIT) > 10;
        });
  }

  @Test
  void noWriteIsTriedWhileAnotherMayWait() {
    rig.onFakeKernel(NOT_MERGING);
    rig.faulty().forceTry(Errno.EAGAIN);
    CountDownLatch waits = rig.kernel().waitToSubmit(op -> op == WRITE);
    Job first = rig.job(0, WRITE, 1, 1);
    rig.submit(first);
    Await.until("the worker waits in the kernel", () -> rig.kernel().submissions() == 2);
    assertThat(rig.blockingWrites().any()).isTrue();
    rig.faulty().heal();
    Job second = rig.job(1, WRITE, 2, 1);
    rig.submit(second);
    Job read = rig.job(1, READ, 3, 1);
    assertThat(rig.run(read)).as("a read is").isEqualTo(BLOCK_BYTES);
    assertThat(second.completions()).isZero();
    waits.countDown();
    awaitAll(BLOCK_BYTES, first, second);
    Await.until("none waits", () -> !rig.blockingWrites().any());
    assertThat(rig.run(rig.job(0, WRITE, 4, 1))).isEqualTo(BLOCK_BYTES);
    assertThat(rig.nowait(WRITE, NowaitOutcome.AGAIN)).isEqualTo(1);
    assertThat(rig.nowait(WRITE, NowaitOutcome.SKIPPED)).isEqualTo(1);
    assertThat(rig.nowait(WRITE, NowaitOutcome.HIT)).isEqualTo(1);
  }

  @Test
  void aWriteThatTheKernelHasNoLongerHoldsOthersBack() {
    rig.onFakeKernel(NOT_MERGING);
    rig.faulty().forceTry(Errno.EAGAIN);
    FaultyBacking.Gate gate = rig.faulty().hold();
    Job slow = rig.job(0, WRITE, 1, 1);
    rig.submit(slow);
    Await.until("with the device", () -> gate.waiting() == 1);
    Await.until("submitted", () -> !rig.blockingWrites().any());
    rig.faulty().heal();
    assertThat(rig.run(rig.job(0, WRITE, 2, 1))).isEqualTo(BLOCK_BYTES);
    assertThat(rig.nowait(WRITE, NowaitOutcome.HIT)).isEqualTo(1);
    gate.release();
    awaitAll(BLOCK_BYTES, slow);
  }

  @Test
  void aLongFlushDelaysNothingElse() {
    rig.onFakeKernel(NOT_MERGING);
    FaultyBacking.Gate gate = rig.faulty().hold(request -> request.op() == BlockOp.FLUSH);
    Job flush = rig.job(0, 1).prepare(BlockOp.FLUSH, 0, 0);
    rig.submit(flush);
    Await.until("flushing", () -> gate.waiting() == 1);
    assertThat(rig.run(rig.job(0, READ, 1, 1))).isEqualTo(BLOCK_BYTES);
    rig.faulty().forceTry(Errno.EAGAIN);
    assertThat(rig.run(rig.job(1, WRITE, 1, 1))).isEqualTo(BLOCK_BYTES);
    assertThat(flush.completions()).isZero();
    gate.release();
    assertThat(flush.awaitResult(1)).isZero();
  }

  @Test
  void whatTheKernelHasNoRoomForRunsAllTheSame() {
    rig.onFakeKernel(NOT_MERGING);
    rig.kernel().refuse(5, Errno.EAGAIN);
    Job[] reads = jobs(READ, 1, 2, 3);
    rig.submit(reads);
    awaitAll(BLOCK_BYTES, reads);
    rig.kernel().refuse(1, Errno.EBADF);
    assertThat(rig.run(rig.job(0, READ, 1, 1))).as("other refusals").isEqualTo(-Errno.EBADF);
    assertThat(rig.run(rig.job(0, READ, 1, 1))).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void misalignedTransfersAreRefused() {
    rig.onFakeKernel(OPTIONS);
    Job job = rig.job(0, 2);
    assertThat(rig.run(job.prepare(READ, 1, BLOCK_BYTES))).isEqualTo(-Errno.EINVAL);
    assertThat(rig.run(job.prepare(WRITE, 0, BLOCK_BYTES - 1))).isEqualTo(-Errno.EINVAL);
    assertThat(rig.run(job.prepare(READ, 0, 0))).as("nothing at all").isZero();
    assertThat(rig.kernel().submissions()).isZero();
  }

  @Test
  void plainTransfersAreNeitherTriedNorHeldBack() {
    rig.onFakeKernel(NOT_MERGING, SubmitPolicy.PLAIN);
    rig.blockingWrites().began();
    Job[] writes = jobs(WRITE, 1, 2, 3);
    rig.submit(writes);
    awaitAll(BLOCK_BYTES, writes);
    assertThat(rig.kernel().submissions()).isEqualTo(1);
    assertThat(rig.faulty().tried()).isZero();
    for (NowaitOutcome outcome : NowaitOutcome.values()) {
      assertThat(rig.nowait(WRITE, outcome)).isZero();
    }
    rig.blockingWrites().ended();
  }

  @Test
  void closingGivesTheContextBack() {
    rig.onFakeKernel(OPTIONS);
    assertThat(rig.kernel().contexts()).isEqualTo(1);
    assertThat(rig.run(rig.job(0, READ, 1, 1))).isEqualTo(BLOCK_BYTES);
    rig.engine().close();
    rig.engine().close();
    assertThat(rig.kernel().contexts()).isZero();
    Job late = rig.job(0, READ, 1, 1);
    assertThat(rig.loop(0).call(() -> rig.engine().submit(late.request()))).isFalse();
  }

  @Test
  void whatIsStuckKeepsItsMemoryAndTheRestEnds() {
    AioEngine engine = rig.openFake(NOT_MERGING.withDepth(2), SubmitPolicy.NOWAIT_FIRST);
    rig.faulty().forceTry(Errno.EAGAIN).shortenTo(BLOCK_BYTES);
    FaultyBacking.Gate gate = rig.faulty().hold();
    Job stuck = rig.job(0, READ, 1, 1);
    Job stuckAndShort = rig.job(0, READ, 3, 2);
    Job waiting = rig.job(0, READ, 7, 1);
    Job running = rig.job(1, BlockOp.ZERO, 0, 1);
    Job queued = rig.job(1, BlockOp.ZERO, 1, 1);
    rig.submit(stuck, stuckAndShort, waiting);
    rig.submit(running, queued);
    Await.until("held", () -> gate.waiting() == 3);
    engine.close(Duration.ofMillis(10));
    assertThat(waiting.awaitResult(1)).isEqualTo(-Errno.CLOSED);
    assertThat(queued.awaitResult(1)).isEqualTo(-Errno.CLOSED);
    assertThat(rig.kernel().contexts()).isEqualTo(1);
    long executed = rig.faulty().executed();
    gate.release();
    assertThat(stuck.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(stuckAndShort.awaitResult(1)).as("its rest").isEqualTo(-Errno.CLOSED);
    assertThat(running.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    assertThat(rig.faulty().executed()).as("nothing new is begun").isEqualTo(executed);
    assertThat(engine.inFlight()).isZero();
  }
}

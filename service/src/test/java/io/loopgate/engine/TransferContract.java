package io.loopgate.engine;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.layer.NowaitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What engines guarantee about the bytes, the results and the errors of commands. */
abstract class TransferContract extends EngineFixture {
  private static final long RETRY_NANOS = 100_000;

  TransferContract(String spec, boolean direct, NowaitMode nowait) {
    super(spec, direct, nowait);
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
  void aBugBelowEndsTheCommandAndNothingElse() {
    for (Throwable bug :
        List.of(
            new IllegalStateException("a bug in a backing"),
            new AssertionError("another one"),
            new NoSuchMethodError("a wrong version of something"),
            new StackOverflowError("too deep"),
            new OutOfMemoryError("too large"))) {
      backing.heal();
      missAlways();
      backing.fail(
          request -> {
            if (request.op() == BlockOp.WRITE) {
              raise(bug);
            }
            return false;
          },
          Errno.EIO,
          1,
          1);
      for (int i = 0; i < 5; i++) {
        assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).as("%s", bug).isEqualTo(-Errno.EIO);
      }
      assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    }
  }

  private static void raise(Throwable bug) {
    if (bug instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) bug;
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

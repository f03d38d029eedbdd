package io.loopgate.engine.uring;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.Job;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the engine does on rings of the kernel and files of a file system. */
abstract class RealRingContract {
  private static final int SIZE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4096;
  private static final int LOOPS = 3;
  private static final int CAPACITY = 64;
  private static final int ROUNDS = 30;

  private final boolean loopsHaveRings;
  private final boolean direct;
  private final EngineOptions options;
  private final String volume = "real" + System.nanoTime();
  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<TestLoop> loops = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private Backing backing;
  private LoopEngine engine;

  RealRingContract(boolean loopsHaveRings, boolean direct, EngineOptions options) {
    this.loopsHaveRings = loopsHaveRings;
    this.direct = direct;
    this.options = options;
  }

  @BeforeEach
  void open() {
    FileBackings.create(image, SIZE_BYTES);
    loops.addAll(loopsHaveRings ? RingLoops.take(LOOPS) : plainLoops());
    openEngine(false);
  }

  private static List<TestLoop> plainLoops() {
    return IntStream.range(0, LOOPS).mapToObj(TestLoop::new).toList();
  }

  private void openEngine(boolean readOnly) {
    backing = FileBackings.open(image, new OpenOptions(readOnly, direct, BLOCK_BYTES));
    EngineSelector.Choice choice =
        new EngineSelector()
            .open(
                "uring",
                new EngineEnvironment(
                    volume,
                    backing,
                    CAPACITY,
                    false,
                    List.copyOf(loops),
                    new VolumeTelemetry(volume),
                    options,
                    new BlockingWrites()));
    engine = choice.engine();
    assertThat(choice.reason())
        .contains(loopsHaveRings ? "the event loops' own rings" : "a ring thread of its own");
  }

  @AfterEach
  void close() throws IOException {
    engine.close();
    loops.forEach(loop -> loop.run(() -> {}));
    if (!loopsHaveRings) {
      loops.forEach(TestLoop::close);
    }
    jobs.forEach(Job::close);
    backing.close();
    Files.delete(image);
  }

  private Job job(int loop) {
    Job job = new Job(loops.get(loop), 16 * BLOCK_BYTES);
    jobs.add(job);
    return job;
  }

  private long run(Job job) {
    int before = job.completions();
    assertThat(job.loop().<Boolean>call(() -> engine.submit(job.request()))).isTrue();
    return job.awaitResult(before + 1);
  }

  private long run(BlockOp op, long offsetBytes, long lengthBytes) {
    return run(job(0).prepare(op, offsetBytes, lengthBytes));
  }

  @Test
  void everyKindOfCommandEndsOnceOnItsOwnLoop() {
    for (int i = 0; i < LOOPS; i++) {
      int length = 16 * BLOCK_BYTES;
      long offset = (long) i * length;
      Job job = job(i);
      byte[] bytes = pattern(length, i);
      assertThat(run(job.fill(bytes).prepare(BlockOp.WRITE, offset, length))).isEqualTo(length);
      assertThat(run(job.fill(new byte[length]).prepare(BlockOp.READ, offset, length)))
          .isEqualTo(length);
      assertThat(Arrays.equals(job.content(length), bytes)).isTrue();
      assertThat(run(job.prepare(BlockOp.ZERO, offset, BLOCK_BYTES))).isEqualTo(BLOCK_BYTES);
      assertThat(run(job.prepare(BlockOp.DISCARD, offset + BLOCK_BYTES, BLOCK_BYTES)))
          .isEqualTo(BLOCK_BYTES);
      assertThat(run(job.prepare(BlockOp.FLUSH, 0, 0))).isZero();
      assertThat(run(job.prepare(BlockOp.READ, offset, length))).isEqualTo(length);
      Arrays.fill(bytes, 0, 2 * BLOCK_BYTES, (byte) 0);
      assertThat(Arrays.equals(job.content(length), bytes)).isTrue();
      job.fill(bytes)
          .prepare(BlockOp.WRITE, offset, length, BlockRequest.FUA, BlockRequest.NO_DEADLINE);
      assertThat(run(job)).isEqualTo(length);
      assertThat(run(job.prepare(BlockOp.READ, offset, 0))).isZero();
      assertThat(job.completions()).isEqualTo(8);
      assertThat(job.endedOnItsLoop()).isTrue();
    }
    Await.until("none in flight", () -> engine.inFlight() == 0);
  }

  @Test
  void manyCommandsOfManyLoopsKeepTheirContent() {
    List<Rounds> all = new ArrayList<>();
    for (int i = 0; i < 16 * LOOPS; i++) {
      all.add(new Rounds(job(i % LOOPS), i));
    }
    all.forEach(one -> one.job.loop().execute(one::next));
    for (Rounds one : all) {
      one.job.awaitResult(2 * ROUNDS);
      assertThat(one.failures.get()).as("commands with a wrong result or content").isZero();
      assertThat(one.job.endedOnItsLoop()).isTrue();
    }
    assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
  }

  /** Writes a range and reads it back, again and again, each time from the last completion. */
  private final class Rounds {
    private static final int LENGTH_BYTES = 2 * BLOCK_BYTES;
    private final Job job;
    private final int number;
    private final AtomicInteger failures = new AtomicInteger();
    private byte[] bytes = new byte[0];

    Rounds(Job job, int number) {
      this.job = job;
      this.number = number;
      job.then(this::ended);
    }

    private void ended() {
      boolean wasRead = job.completions() % 2 == 0;
      if (job.result() != LENGTH_BYTES
          || (wasRead && !Arrays.equals(job.content(LENGTH_BYTES), bytes))) {
        failures.incrementAndGet();
      }
      if (job.completions() < 2 * ROUNDS) {
        next();
      }
    }

    private void next() {
      long offset = (long) number * LENGTH_BYTES;
      if (job.completions() % 2 == 0) {
        bytes = pattern(LENGTH_BYTES, number * 1000L + job.completions());
        job.fill(bytes).prepare(BlockOp.WRITE, offset, LENGTH_BYTES);
      } else {
        job.fill(new byte[LENGTH_BYTES]).prepare(BlockOp.READ, offset, LENGTH_BYTES);
      }
      assertThat(engine.submit(job.request())).isTrue();
    }
  }

  @Test
  void aFileShrunkBeneathIsNoticedAndStaysShrunk() throws IOException {
    int endBytes = 4 * BLOCK_BYTES + 1000;
    try (FileChannel beneath = FileChannel.open(image, StandardOpenOption.WRITE)) {
      beneath.truncate(endBytes);
    }
    assertThat(run(BlockOp.READ, 8 * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    Job over = job(1).prepare(BlockOp.READ, 0, 8 * BLOCK_BYTES);
    assertThat(run(over)).isEqualTo(-Errno.TRUNCATED);
    assertThat(over.doneBytes()).isEqualTo(endBytes);
    assertThat(run(BlockOp.WRITE, 8 * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    assertThat(run(BlockOp.READ, 0, 4 * BLOCK_BYTES)).isEqualTo(4 * BLOCK_BYTES);
    assertThat(image).hasSize(endBytes);
  }

  @Test
  void misalignedDirectTransfersAreRefused() {
    long expected = direct ? -Errno.EINVAL : 100;
    assertThat(run(BlockOp.READ, 0, 100)).isEqualTo(expected);
    assertThat(run(BlockOp.WRITE, 100, 100)).isEqualTo(expected);
  }

  @Test
  void aReadOnlyFileIsReadAndNotWritten() {
    engine.close();
    backing.close();
    openEngine(true);
    assertThat(run(BlockOp.READ, 0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
    assertThat(run(BlockOp.WRITE, 0, BLOCK_BYTES)).isEqualTo(-Errno.READ_ONLY);
    assertThat(run(BlockOp.FLUSH, 0, 0)).isZero();
  }

  @Test
  void anExpiredCommandIsDropped() {
    Job job = job(2);
    job.prepare(BlockOp.READ, 0, BLOCK_BYTES, 0, System.nanoTime() - 1);
    assertThat(run(job)).isEqualTo(-Errno.DEADLINE);
    assertThat(job.endedOnItsLoop()).isTrue();
  }

  @Test
  void aClosedEngineTakesNothingAndLeavesNoThreadOfItsOwn() {
    assertThat(run(BlockOp.FLUSH, 0, 0)).isZero();
    assertThat(ownThreads()).isNotEmpty();
    engine.close();
    engine.close();
    Await.until("no thread left", () -> ownThreads().isEmpty());
    for (int i = 0; i < LOOPS; i++) {
      Job late = job(i).prepare(BlockOp.READ, 0, BLOCK_BYTES);
      assertThat(late.loop().<Boolean>call(() -> engine.submit(late.request()))).isFalse();
      assertThat(late.completions()).isZero();
    }
    assertThat(engine.inFlight()).isZero();
  }

  private List<String> ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("loopgate-uring-" + volume))
        .toList();
  }
}

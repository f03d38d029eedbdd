package io.loopgate.engine;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Commands of all kinds from several loops at once: each range is an array of bytes. */
class EngineModelTest {
  private static final int LOOPS = 3;
  private static final int SLOTS = 4;
  private static final int REGION_BYTES = 1 << 16;
  private static final int BLOCK_BYTES = 4096;
  private static final int COMMANDS = 30;

  /** Flushes are slow and read nothing: few of them. */
  private static final List<BlockOp> OPS = ops();

  /** Fewer than slots, so that some are refused and come again. */
  private static final int CAPACITY = 8;

  private final List<TestLoop> loops = new ArrayList<>();
  private final List<Setup> setups = new ArrayList<>();

  private static List<BlockOp> ops() {
    List<BlockOp> ops = new ArrayList<>();
    ops.addAll(Collections.nCopies(30, BlockOp.READ));
    ops.addAll(Collections.nCopies(20, BlockOp.WRITE));
    ops.addAll(Collections.nCopies(5, BlockOp.ZERO));
    ops.addAll(Collections.nCopies(5, BlockOp.DISCARD));
    ops.add(BlockOp.FLUSH);
    return ops;
  }

  @BeforeProperty
  void open() {
    for (int i = 0; i < LOOPS; i++) {
      loops.add(new TestLoop(i));
    }
    for (String spec : List.of("single", "workers:3", "workqueue:3", "virtual:3", "inline")) {
      for (int queues = 1; queues <= 2; queues++) {
        setups.add(new Setup(spec, queues, false, NowaitMode.OFF));
        setups.add(new Setup(spec, queues, false, NowaitMode.AUTO));
        setups.add(new Setup(spec, queues, true, NowaitMode.OFF));
      }
    }
  }

  @AfterProperty
  void close() throws IOException {
    for (Setup setup : setups) {
      setup.close();
    }
    loops.forEach(TestLoop::close);
  }

  @Property(tries = 2, shrinking = ShrinkingMode.OFF)
  void rangesAreLikeArrays(@ForAll long seed) {
    for (Setup setup : setups) {
      setup.run(seed);
    }
  }

  /** An engine on a file of its own, and the ranges of that file. */
  private final class Setup {
    private final String name;
    private final Path image = BackingFixture.directory().resolve("image.raw");
    private final Backing backing;
    private final LoopEngine engine;
    private final List<Range> ranges = new ArrayList<>();

    Setup(String spec, int queues, boolean direct, NowaitMode nowait) {
      name = spec + " queues " + queues + (direct ? " direct" : " buffered") + " nowait " + nowait;
      FileBackings.create(image, (long) LOOPS * SLOTS * REGION_BYTES);
      backing = FileBackings.open(image, new OpenOptions(false, direct, BLOCK_BYTES));
      VolumeTelemetry telemetry = new VolumeTelemetry("model");
      EngineEnvironment environment =
          Environments.withQueues(
              new EngineEnvironment(
                  "model", backing, CAPACITY, true, List.copyOf(loops), telemetry),
              queues);
      LoopEngine opened = new EngineSelector().open(spec, environment).engine();
      engine =
          nowait == NowaitMode.OFF
              ? opened
              : new NowaitLayer(opened, backing, nowait, telemetry, environment.blockingWrites());
      for (int i = 0; i < LOOPS * SLOTS; i++) {
        ranges.add(new Range(i, loops.get(i % LOOPS), engine, direct ? BLOCK_BYTES : 1));
      }
    }

    void run(long seed) {
      List<Integer> before = ranges.stream().map(range -> range.job.completions()).toList();
      for (Range range : ranges) {
        range.job.loop().execute(() -> range.begin(seed));
      }
      for (int i = 0; i < ranges.size(); i++) {
        Range range = ranges.get(i);
        range.job.awaitResult(before.get(i) + COMMANDS);
        assertThat(range.job.loop().call(() -> range.failures)).as("%s", name).isEmpty();
        assertThat(range.job.endedOnItsLoop()).as("%s", name).isTrue();
      }
      Await.until("none in flight", () -> engine.inFlight() == 0);
    }

    void close() throws IOException {
      engine.close();
      loops.forEach(loop -> loop.run(() -> {}));
      ranges.forEach(range -> range.job.close());
      backing.close();
      Files.delete(image);
    }
  }

  /** A part of the file that one slot uses alone, and what it has to hold; on its loop. */
  private static final class Range {
    private final long startBytes;
    private final LoopEngine engine;
    private final int unitBytes;
    private final Job job;
    private final byte[] model = new byte[REGION_BYTES];
    private final List<String> failures = new ArrayList<>();
    private Random random = new Random();
    private int left;
    private BlockOp op = BlockOp.FLUSH;
    private int offset;
    private int length;

    Range(int number, TestLoop loop, LoopEngine engine, int unitBytes) {
      this.startBytes = (long) number * REGION_BYTES;
      this.engine = engine;
      this.unitBytes = unitBytes;
      this.job = new Job(loop, REGION_BYTES);
      job.then(this::ended);
    }

    void begin(long seed) {
      random = new Random(seed + startBytes);
      left = COMMANDS;
      next();
    }

    private void next() {
      op = OPS.get(random.nextInt(OPS.size()));
      int unit = op == BlockOp.READ || op == BlockOp.WRITE ? unitBytes : 1;
      int units = REGION_BYTES / unit;
      int first = random.nextInt(units);
      offset = first * unit;
      length = op == BlockOp.FLUSH ? 0 : (1 + random.nextInt(units - first)) * unit;
      int flags = 0;
      switch (op) {
        case WRITE -> {
          byte[] bytes = pattern(length, random.nextLong());
          System.arraycopy(bytes, 0, model, offset, length);
          job.fill(bytes);
          flags = random.nextInt(40) == 0 ? BlockRequest.FUA : 0;
        }
        case READ -> job.fill(new byte[length]);
        case ZERO, DISCARD -> {
          Arrays.fill(model, offset, offset + length, (byte) 0);
          flags = random.nextBoolean() ? BlockRequest.MAY_UNMAP : 0;
        }
        case FLUSH -> {}
      }
      job.prepare(op, startBytes + offset, length, flags, BlockRequest.NO_DEADLINE);
      offer();
    }

    private void offer() {
      if (!engine.submit(job.request())) {
        job.loop().execute(this::offer);
      }
    }

    private void ended() {
      boolean asInTheModel =
          op != BlockOp.READ
              || Arrays.equals(job.content(length), 0, length, model, offset, offset + length);
      if (job.result() != length || !asInTheModel) {
        failures.add(op + " at " + offset + " length " + length + ": " + job.result());
      }
      left--;
      if (left > 0) {
        next();
      }
    }
  }
}

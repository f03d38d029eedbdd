package io.loopgate.engine.uring;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.Job;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Batches of concurrent commands, more than the ring has places for, leave a file as they leave an
 * array. Commands of one batch have regions of their own, so their order does not matter.
 */
class RingModelTest {
  private static final int UNIT_BYTES = 4096;
  private static final int REGION_BYTES = 4 * UNIT_BYTES;
  private static final int REGIONS = 12;
  private static final int SIZE_BYTES = REGIONS * REGION_BYTES;
  private static final int LOOPS = 3;
  private static final int DEPTH = 4;

  /** A command leaves the engine after its end is known: those of two batches may meet. */
  private static final int CAPACITY = 2 * REGIONS;

  /** A command on units of a region. */
  record Command(BlockOp op, int loop, int firstUnit, int units, int flags, long seed) {
    int fromBytes(int region) {
      return region * REGION_BYTES + firstUnit * UNIT_BYTES;
    }

    int lengthBytes() {
      return op == BlockOp.FLUSH ? 0 : units * UNIT_BYTES;
    }
  }

  @Provide
  Arbitrary<List<List<Command>>> programs() {
    Arbitrary<Command> commands =
        Combinators.combine(
                Arbitraries.of(
                    BlockOp.READ,
                    BlockOp.READ,
                    BlockOp.WRITE,
                    BlockOp.WRITE,
                    BlockOp.ZERO,
                    BlockOp.DISCARD,
                    BlockOp.FLUSH),
                Arbitraries.integers().between(0, LOOPS - 1),
                Arbitraries.integers().between(0, 3),
                Arbitraries.integers().between(1, 4),
                Arbitraries.of(0, 0, BlockRequest.FUA),
                Arbitraries.longs())
            .as(
                (op, loop, first, units, flags, seed) ->
                    new Command(op, loop, first, Math.min(units, 4 - first), flags, seed));
    return commands.list().ofSize(REGIONS).list().ofMinSize(1).ofMaxSize(6);
  }

  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void ownRingsAreLikeArrays(@ForAll("programs") List<List<Command>> program) throws IOException {
    check(program, false, 0);
    check(program, false, 1);
  }

  @Property(tries = 30, shrinking = ShrinkingMode.BOUNDED)
  void ringsOfLoopsAreLikeArrays(@ForAll("programs") List<List<Command>> program)
      throws IOException {
    check(program, true, 0);
    check(program, true, 2);
  }

  private static void check(List<List<Command>> program, boolean loopsHaveRings, int queues)
      throws IOException {
    for (boolean direct : new boolean[] {false, true}) {
      Path image = BackingFixture.directory().resolve("image.raw");
      FileBackings.create(image, SIZE_BYTES);
      List<TestLoop> loops =
          loopsHaveRings
              ? RingLoops.take(LOOPS)
              : IntStream.range(0, LOOPS).mapToObj(TestLoop::new).toList();
      try (Backing backing = FileBackings.open(image, new OpenOptions(false, direct, UNIT_BYTES));
          LoopEngine engine = open(backing, loops, queues)) {
        run(program, engine, loops);
      }
      if (!loopsHaveRings) {
        loops.forEach(TestLoop::close);
      }
      Files.delete(image);
    }
  }

  private static LoopEngine open(Backing backing, List<TestLoop> loops, int queues) {
    EngineEnvironment environment =
        new EngineEnvironment(
            "model",
            backing,
            CAPACITY,
            false,
            List.copyOf(loops),
            new VolumeTelemetry("model"),
            EngineOptions.DEFAULT.withQueues(queues).withDepth(DEPTH),
            new BlockingWrites());
    return new EngineSelector().open("uring", environment).engine();
  }

  private static void run(List<List<Command>> program, LoopEngine engine, List<TestLoop> loops) {
    byte[] model = new byte[SIZE_BYTES];
    for (List<Command> batch : program) {
      List<Job> jobs = new ArrayList<>();
      for (int region = 0; region < REGIONS; region++) {
        jobs.add(begin(batch.get(region), region, engine, loops));
      }
      for (int region = 0; region < REGIONS; region++) {
        end(batch.get(region), region, jobs.get(region), model);
      }
      jobs.forEach(Job::close);
    }
    try (Job all = new Job(loops.getFirst(), SIZE_BYTES)) {
      all.prepare(BlockOp.READ, 0, SIZE_BYTES);
      all.loop().execute(() -> assertThat(engine.submit(all.request())).isTrue());
      assertThat(all.awaitResult(1)).isEqualTo(SIZE_BYTES);
      assertThat(Arrays.equals(all.content(SIZE_BYTES), model)).isTrue();
    }
  }

  private static Job begin(Command command, int region, LoopEngine engine, List<TestLoop> loops) {
    Job job = new Job(loops.get(command.loop()), REGION_BYTES);
    if (command.op() == BlockOp.WRITE) {
      job.fill(pattern(command.lengthBytes(), command.seed()));
    }
    long offset = command.op() == BlockOp.FLUSH ? 0 : command.fromBytes(region);
    job.prepare(
        command.op(), offset, command.lengthBytes(), command.flags(), BlockRequest.NO_DEADLINE);
    job.loop().execute(() -> assertThat(engine.submit(job.request())).isTrue());
    return job;
  }

  private static void end(Command command, int region, Job job, byte[] model) {
    int from = command.fromBytes(region);
    int length = command.lengthBytes();
    assertThat(job.awaitResult(1)).as("%s", command).isEqualTo(length);
    assertThat(job.endedOnItsLoop()).isTrue();
    switch (command.op()) {
      case READ ->
          assertThat(Arrays.equals(job.content(length), 0, length, model, from, from + length))
              .as("%s", command)
              .isTrue();
      case WRITE -> System.arraycopy(pattern(length, command.seed()), 0, model, from, length);
      case ZERO, DISCARD -> Arrays.fill(model, from, from + length, (byte) 0);
      case FLUSH -> {
        // Changes nothing that can be read.
      }
    }
  }
}

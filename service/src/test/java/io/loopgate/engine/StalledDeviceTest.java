package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A device that hangs stops its own queue and nothing else. */
class StalledDeviceTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int COMMANDS = 8;

  /** What loop 0 and loop 1 use of a file. */
  private static final long SECOND_HALF_BYTES = 1 << 19;

  private final Path folder = BackingFixture.directory();
  private final List<TestLoop> loops = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final List<LoopEngine> engines = new ArrayList<>();
  private FaultyBacking hanging;
  private FaultyBacking healthy;

  @BeforeEach
  void open() {
    hanging = backing("hanging");
    healthy = backing("healthy");
    loops.add(new TestLoop(0));
    loops.add(new TestLoop(1));
  }

  private FaultyBacking backing(String name) {
    Path image = folder.resolve(name + ".raw");
    FileBackings.create(image, 2 * SECOND_HALF_BYTES);
    return new FaultyBacking(FileBackings.open(image, new OpenOptions(false, false, BLOCK_BYTES)));
  }

  @AfterEach
  void close() throws IOException {
    hanging.release();
    engines.forEach(LoopEngine::close);
    loops.forEach(loop -> loop.run(() -> {}));
    loops.forEach(TestLoop::close);
    jobs.forEach(Job::close);
    hanging.close();
    healthy.close();
    Files.delete(folder.resolve("hanging.raw"));
    Files.delete(folder.resolve("healthy.raw"));
    Files.delete(folder);
  }

  private LoopEngine engine(String spec, String volume, FaultyBacking backing, int queues) {
    EngineEnvironment environment =
        new EngineEnvironment(
            volume, backing, 64, false, List.copyOf(loops), new VolumeTelemetry(volume));
    LoopEngine engine =
        new EngineSelector().open(spec, Environments.withQueues(environment, queues)).engine();
    engines.add(engine);
    return engine;
  }

  private Job submit(LoopEngine engine, int loop, BlockOp op, long offsetBytes) {
    Job job = new Job(loops.get(loop), BLOCK_BYTES);
    jobs.add(job);
    job.prepare(op, offsetBytes, op == BlockOp.FLUSH ? 0 : BLOCK_BYTES);
    boolean accepted = job.loop().call(() -> engine.submit(job.request()));
    assertThat(accepted).isTrue();
    return job;
  }

  private List<Job> submitSome(LoopEngine engine, int loop, long offsetBytes) {
    List<Job> some = new ArrayList<>();
    for (int i = 0; i < COMMANDS; i++) {
      BlockOp op = BlockOp.values()[i % BlockOp.values().length];
      some.add(submit(engine, loop, op, offsetBytes + (long) i * BLOCK_BYTES));
    }
    return some;
  }

  private static void expectEnd(List<Job> some) {
    some.forEach(job -> assertThat(job.awaitResult(1)).isNotNegative());
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "workers:2", "workqueue:2", "virtual:2"})
  void otherVolumesGoOn(String spec) throws InterruptedException {
    LoopEngine first = engine(spec, "hanging", hanging, 1);
    LoopEngine second = engine(spec, "healthy", healthy, 1);
    FaultyBacking.Gate gate = hanging.hold();
    List<Job> held = submitSome(first, 0, 0);
    gate.awaitWaiting(1);
    for (int i = 0; i < 5; i++) {
      expectEnd(submitSome(second, 0, 0));
      expectEnd(submitSome(second, 1, SECOND_HALF_BYTES));
    }
    assertThat(held).allMatch(job -> job.completions() == 0);
    gate.release();
    expectEnd(held);
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "workers:2", "workqueue:2", "virtual:2"})
  void otherQueuesGoOn(String spec) throws InterruptedException {
    LoopEngine engine = engine(spec, "hanging", hanging, 2);
    FaultyBacking.Gate gate =
        hanging.hold(
            request -> request.op() == BlockOp.READ && request.offsetBytes() < SECOND_HALF_BYTES);
    List<Job> held = new ArrayList<>();
    for (int i = 0; i < COMMANDS; i++) {
      held.add(submit(engine, 0, BlockOp.READ, (long) i * BLOCK_BYTES));
    }
    gate.awaitWaiting(1);
    for (int i = 0; i < 5; i++) {
      expectEnd(submitSome(engine, 1, SECOND_HALF_BYTES));
    }
    assertThat(held).allMatch(job -> job.completions() == 0);
    Await.until("the others have left", () -> engine.inFlight() == COMMANDS);
    assertThat(engine.drain(Duration.ofMillis(5))).isFalse();
    gate.release();
    expectEnd(held);
    assertThat(engine.drain(Duration.ofSeconds(30))).isTrue();
    engine.close();
    for (TestLoop loop : loops) {
      Job late = new Job(loop, BLOCK_BYTES).prepare(BlockOp.READ, 0, BLOCK_BYTES);
      jobs.add(late);
      boolean accepted = loop.call(() -> engine.submit(late.request()));
      assertThat(accepted).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "workers:2"})
  void threadsAreNamedAfterTheirQueue(String spec) {
    LoopEngine engine = engine(spec, "named", healthy, 2);
    String name = "loopgate-" + EngineSpec.parse(spec).name() + "-named-";
    expectEnd(List.of(submit(engine, 1, BlockOp.READ, 0)));
    assertThat(threads(name)).containsExactly(name + "q1-0");
    expectEnd(List.of(submit(engine, 0, BlockOp.READ, 0)));
    assertThat(threads(name)).containsExactlyInAnyOrder(name + "q0-0", name + "q1-0");
    engine.close();
    Await.until("gone", () -> threads(name).isEmpty());
  }

  private static Set<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .collect(Collectors.toSet());
  }
}

package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.layer.NowaitLayer;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.VolumeTelemetry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An engine on a file that fails as told, and loops and slots to use it with. */
abstract class EngineFixture {
  static final int SIZE_BYTES = 1 << 20;
  static final int BLOCK_BYTES = 4096;
  static final int MEMORY_BYTES = 16 * BLOCK_BYTES;
  static final int LOOPS = 3;
  static final int CAPACITY = 8;

  private final String spec;
  final boolean direct;
  private final NowaitMode nowait;
  private final Path image = BackingFixture.directory().resolve("image.raw");
  final List<TestLoop> loops = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  FaultyBacking backing;
  LoopEngine engine;

  /** For an engine on a buffered or direct file, with a NOWAIT layer unless the mode is OFF. */
  protected EngineFixture(String spec, boolean direct, NowaitMode nowait) {
    this.spec = spec;
    this.direct = direct;
    this.nowait = nowait;
  }

  /** Tells whether commands run inside submit. */
  protected boolean runsInSubmit() {
    return false;
  }

  /** Tells whether chance decides who ends a command: its submitter or another thread. */
  protected boolean endsAnywhere() {
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

  void reopen(int capacity) {
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

  Job job(int loop) {
    Job job = new Job(loops.get(loop), MEMORY_BYTES);
    jobs.add(job);
    return job;
  }

  boolean submit(Job job) {
    return job.loop().call(() -> engine.submit(job.request()));
  }

  /** Submits without waiting for submit to return. */
  void submitSoon(Job job) {
    job.loop().execute(() -> assertThat(engine.submit(job.request())).isTrue());
  }

  long run(Job job) {
    int before = job.completions();
    assertThat(submit(job)).isTrue();
    return job.awaitResult(before + 1);
  }

  long run(BlockOp op, long offsetBytes, long lengthBytes) {
    return run(job(0).prepare(op, offsetBytes, lengthBytes));
  }

  /** Lets the engine under the layer see every command. */
  void missAlways() {
    backing.forceTry(Errno.EAGAIN);
  }

  /** Holds one command of each loop in the engine. */
  List<Job> holdOnePerLoop(FaultyBacking.Gate gate) {
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
}

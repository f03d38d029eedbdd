package io.loopgate.engine.aio;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.Job;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.SystemCalls;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** A direct image, event loops and jobs, and one queue of {@code aio} on them. */
public final class AioRig implements AutoCloseable {
  /** The unit of transfers in tests. */
  public static final int BLOCK_BYTES = 4096;

  private static final int CAPACITY = 256;

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<TestLoop> loops = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final VolumeTelemetry telemetry = new VolumeTelemetry("rig");
  private final BlockingWrites blockingWrites = new BlockingWrites();
  private final DescriptorBacking file;
  private final FaultyBacking faulty;
  private final FakeKernel kernel;
  private LoopEngine engine;

  /** Makes an image, and loops of the kind that {@code loop} makes. */
  public AioRig(int blocks, int loopCount, IntFunction<TestLoop> loop) {
    FileBackings.create(image, (long) blocks * BLOCK_BYTES);
    file = FileBackings.open(image, new OpenOptions(false, true, BLOCK_BYTES));
    faulty = new FaultyBacking(new TryingBacking(file));
    kernel = new FakeKernel(faulty);
    for (int i = 0; i < loopCount; i++) {
      loops.add(loop.apply(i));
    }
    engine = new ClosedEngine();
  }

  /**
   * Writes the whole image, so that no block of it has to be allocated any more, and takes it out
   * of the page cache, where it would make direct writes wait.
   */
  public AioRig written() {
    try {
      Files.write(image, new byte[(int) file.geometry().sizeBytes()]);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    SystemCalls calls = SystemCalls.instance();
    calls.fsync(file.fd());
    calls.fadvise(file.fd(), 0, 0, LinuxConstants.POSIX_FADV_DONTNEED);
    return this;
  }

  /** Runs on the kernel of this machine. */
  public AioRig onRealKernel(EngineOptions options) {
    engine =
        AioEngine.open(
            environment(file, options), file, SubmitPolicy.NOWAIT_FIRST, new SignalWatch());
    return this;
  }

  /** Runs on a kernel with faults. */
  AioRig onFakeKernel(EngineOptions options) {
    return onFakeKernel(options, SubmitPolicy.NOWAIT_FIRST);
  }

  /** Runs on a kernel with faults. */
  AioRig onFakeKernel(EngineOptions options, SubmitPolicy policy) {
    openFake(options, policy);
    return this;
  }

  /** Runs on a kernel with faults and returns the engine itself. */
  AioEngine openFake(EngineOptions options, SubmitPolicy policy) {
    AioEngine opened =
        AioEngine.open(environment(faulty, options), -1, kernel, policy, new SignalWatch());
    engine = kernel.noting(opened);
    return opened;
  }

  /** Returns an environment on these loops. */
  public EngineEnvironment environment(Backing backing, EngineOptions options) {
    return new EngineEnvironment(
        "rig", backing, CAPACITY, true, List.copyOf(loops), telemetry, options, blockingWrites);
  }

  /** Uses another engine on the same loops. */
  public AioRig on(LoopEngine other) {
    engine = other;
    return this;
  }

  /** Returns the backing with faults, which the fake kernel runs on. */
  public FaultyBacking faulty() {
    return faulty;
  }

  /** Returns where the file is. */
  public Path image() {
    return image;
  }

  /** Returns the file. */
  public DescriptorBacking file() {
    return file;
  }

  FakeKernel kernel() {
    return kernel;
  }

  /** Returns the engine. */
  public LoopEngine engine() {
    return engine;
  }

  /** Returns a loop. */
  public TestLoop loop(int index) {
    return loops.get(index);
  }

  /** Returns how many loops there are. */
  public int loops() {
    return loops.size();
  }

  /** Returns the counters. */
  public VolumeTelemetry telemetry() {
    return telemetry;
  }

  /** Returns the count of writes that may wait. */
  public BlockingWrites blockingWrites() {
    return blockingWrites;
  }

  /** Returns how many commands had this outcome. */
  public long nowait(BlockOp op, NowaitOutcome outcome) {
    return telemetry.nowaitCount(op, outcome);
  }

  /** Returns a slot with memory for so many blocks. */
  public Job job(int loop, int blocks) {
    Job job = new Job(loops.get(loop), blocks * BLOCK_BYTES);
    jobs.add(job);
    return job;
  }

  /** Returns a job that is prepared to transfer whole blocks. */
  public Job job(int loop, BlockOp op, int block, int blocks) {
    return job(loop, blocks).prepare(op, (long) block * BLOCK_BYTES, (long) blocks * BLOCK_BYTES);
  }

  /** Submits jobs of one loop in one turn of it. */
  public void submit(Job... batch) {
    batch[0]
        .loop()
        .run(
            () -> {
              for (Job job : batch) {
                if (!engine.submit(job.request())) {
                  throw new AssertionError("refused: " + job.request());
                }
              }
            });
  }

  /** Runs one command to its end. */
  public long run(Job job) {
    int before = job.completions();
    submit(job);
    return job.awaitResult(before + 1);
  }

  /** Returns what the file holds. */
  public byte[] content(int block, int blocks) {
    try {
      byte[] all = Files.readAllBytes(image);
      return Arrays.copyOfRange(all, block * BLOCK_BYTES, (block + blocks) * BLOCK_BYTES);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    engine.close();
    loops.forEach(loop -> loop.run(() -> {}));
    loops.forEach(TestLoop::close);
    jobs.forEach(Job::close);
    faulty.close();
    try {
      Files.delete(image);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    if (!kernel.complaints().isEmpty()) {
      throw new AssertionError(kernel.complaints());
    }
  }

  /** Stands for none, until one is opened. */
  private static final class ClosedEngine implements LoopEngine {
    @Override
    public boolean submit(io.loopgate.block.BlockRequest request) {
      return false;
    }

    @Override
    public int inFlight() {
      return 0;
    }

    @Override
    public boolean drain(java.time.Duration timeout) {
      return true;
    }

    @Override
    public void close() {}
  }
}

package io.loopgate.bench.load;

import io.loopgate.bench.shape.Access;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import io.loopgate.sys.AlignedMemory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs spread over event loops, all on one engine. For one control thread, which starts it, looks
 * at it, and stops it before it closes the engine.
 */
public final class Load implements AutoCloseable {
  private static final Duration LOOP_ANSWER_TIMEOUT = Duration.ofSeconds(30);

  private final AlignedMemory memory;
  private final List<Home> homes = new ArrayList<>();
  private final CountDownLatch idle;
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  /** What belongs to one event loop. */
  private record Home(LoopContext loop, LoopMeter meter, List<Job> jobs) {}

  /**
   * Makes the jobs; nothing runs yet.
   *
   * @param sizeBytes of the volume
   * @param memoryAlignmentBytes what the backing wants memory to be aligned to
   * @throws IllegalArgumentException if the volume is too small
   */
  public Load(
      LoopEngine engine,
      List<LoopContext> loops,
      Access access,
      long sizeBytes,
      int memoryAlignmentBytes,
      long seed) {
    long slotBytes = access.blockBytesMax();
    List<Offsets> plans =
        IntStream.range(0, access.jobs())
            .mapToObj(job -> new Offsets(access, sizeBytes, job, seed))
            .toList();
    this.memory =
        AlignedMemory.allocate(
            Math.max(4096, memoryAlignmentBytes), slotBytes * access.commandsInFlight());
    fillWithNoise(memory, seed);
    this.idle = new CountDownLatch(access.jobs());
    loops.forEach(loop -> homes.add(new Home(loop, new LoopMeter(), new ArrayList<>())));
    for (int i = 0; i < access.jobs(); i++) {
      Home home = homes.get(i % homes.size());
      home.jobs.add(
          new Job(
              home.loop,
              engine,
              home.meter,
              plans.get(i),
              access.depth(),
              memory.address() + i * slotBytes * access.depth(),
              slotBytes,
              this::failed,
              idle::countDown));
    }
  }

  /** Zeroes could be stored as nothing somewhere below. */
  private static void fillWithNoise(AlignedMemory memory, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    var bytes = memory.segment().asByteBuffer();
    while (bytes.remaining() >= Long.BYTES) {
      bytes.putLong(random.nextLong());
    }
  }

  private void failed(String reason) {
    failure.compareAndSet(null, reason);
  }

  /** Returns why the load failed, if it did. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** Starts all jobs. */
  public void start() {
    homes.forEach(home -> home.loop.execute(() -> home.jobs.forEach(Job::start)));
  }

  /** Forgets what was counted so far. */
  public void reset() {
    onLoops(
        home -> {
          home.meter.reset();
          return home;
        });
  }

  /** Returns what was counted since the last reset. */
  public LoadCounts counts() {
    return LoadCounts.sum(onLoops(home -> home.meter.counts()));
  }

  private <T> List<T> onLoops(Function<Home, T> work) {
    List<CompletableFuture<T>> answers = new ArrayList<>();
    for (Home home : homes) {
      answers.add(CompletableFuture.supplyAsync(() -> work.apply(home), home.loop::execute));
    }
    return answers.stream()
        .map(answer -> answer.orTimeout(LOOP_ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS).join())
        .toList();
  }

  /**
   * Stops all jobs and waits for their commands.
   *
   * @return whether all have ended; if not, the memory must stay
   */
  public boolean stop(Duration timeout) {
    homes.forEach(home -> home.loop.execute(() -> home.jobs.forEach(Job::stop)));
    try {
      return idle.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Gives the memory back, unless a command may still use it. */
  @Override
  public void close() {
    if (idle.getCount() == 0) {
      memory.close();
    }
  }
}

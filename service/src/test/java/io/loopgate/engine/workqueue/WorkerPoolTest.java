package io.loopgate.engine.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.EngineCommands;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers come when they are needed, and no earlier, and go again. */
class WorkerPoolTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int CAPACITY = 64;

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final List<PooledLane> lanes = new ArrayList<>();
  private final AtomicInteger ended = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final CompletionSink home = new CompletionQueue(0, Runnable::run);
  private FaultyBacking backing;
  private FaultyBacking other;

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    OpenOptions readOnly = new OpenOptions(true, false, 512);
    backing = new FaultyBacking(FileBackings.open(image, readOnly));
    other = new FaultyBacking(FileBackings.open(image, readOnly));
  }

  @AfterEach
  void close() throws IOException {
    backing.release();
    lanes.forEach(PooledLane::close);
    backing.close();
    other.close();
    Files.delete(image);
  }

  private PooledLane lane(WorkerPool pool, int limit, FaultyBacking on) {
    EngineCommands commands =
        new EngineCommands(
            new EngineEnvironment(
                "pool", on, CAPACITY, false, List.of(), new VolumeTelemetry("pool")),
            limit);
    PooledLane lane = new PooledLane("lane", limit, CAPACITY, pool, commands);
    lanes.add(lane);
    return lane;
  }

  /** A command that touches no memory. */
  private BlockRequest command() {
    return new BlockRequest(home)
        .prepare(
            BlockOp.FLUSH,
            0,
            0,
            0,
            0,
            BlockRequest.NO_DEADLINE,
            (request, result) -> (result == -Errno.CLOSED ? closed : ended).incrementAndGet());
  }

  private void offer(PooledLane lane, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(lane.offer(command())).isTrue();
    }
  }

  private void awaitEnded(int count) {
    Await.until(count + " ended", () -> ended.get() >= count);
    assertThat(ended.get()).isEqualTo(count);
  }

  @Test
  void whatHangsGetsAsManyWorkersAsTheLimitAllowsWithNoFurtherEvent() throws InterruptedException {
    WorkerPool pool = new WorkerPool(32, 1, LONG);
    PooledLane lane = lane(pool, 16, backing);
    FaultyBacking.Gate gate = backing.hold();
    offer(lane, 20);
    gate.awaitWaiting(16);
    assertThat(pool.busy()).isEqualTo(16);
    assertThat(backing.executed()).isEqualTo(16);
    gate.release();
    awaitEnded(20);
    Await.until("all idle", () -> pool.busy() == 0);
  }

  @Test
  void aLimitOfOneIsOneWorker() throws InterruptedException {
    WorkerPool pool = new WorkerPool(4, 1, LONG);
    PooledLane lane = lane(pool, 1, backing);
    FaultyBacking.Gate gate = backing.hold();
    offer(lane, 10);
    gate.awaitWaiting(1);
    gate.release();
    awaitEnded(10);
    assertThat(pool.threads()).isEqualTo(1);
  }

  @Test
  void anIdleWorkerIsUsedAgain() {
    WorkerPool pool = new WorkerPool(8, 1, LONG);
    PooledLane lane = lane(pool, 1, backing);
    for (int i = 1; i <= 100; i++) {
      offer(lane, 1);
      awaitEnded(i);
      Await.until("idle", () -> pool.busy() == 0);
    }
    assertThat(pool.threads()).isEqualTo(1);
  }

  @Test
  void aThreadWithoutWorkEnds() {
    WorkerPool pool = new WorkerPool(8, 1, Duration.ofMillis(1));
    PooledLane lane = lane(pool, 8, backing);
    for (int i = 1; i <= 5; i++) {
      offer(lane, 1);
      awaitEnded(i);
      Await.until("no thread", () -> pool.threads() == 0);
    }
  }

  @Test
  void comingAndGoingLosesNothing() {
    WorkerPool pool = new WorkerPool(8, 1, Duration.ofNanos(1));
    PooledLane lane = lane(pool, 8, backing);
    for (int i = 0; i < 1_000; i++) {
      offer(lane, 3);
      awaitEnded(3 * i + 3);
    }
  }

  @Test
  void aLaneThatHangsLeavesTheOthersOneWorkerEach() throws InterruptedException {
    WorkerPool pool = new WorkerPool(4, 1, LONG);
    PooledLane hanging = lane(pool, 10, backing);
    PooledLane healthy = lane(pool, 10, other);
    FaultyBacking.Gate gate = backing.hold();
    offer(hanging, 10);
    gate.awaitWaiting(3);
    for (int i = 1; i <= 20; i++) {
      offer(healthy, 2);
      awaitEnded(2 * i);
    }
    assertThat(gate.waiting()).isEqualTo(3);
    gate.release();
    awaitEnded(50);
  }

  @Test
  void aLaneThatFoundNoWorkerGetsOneLater() throws InterruptedException {
    WorkerPool pool = new WorkerPool(1, 0, LONG);
    PooledLane first = lane(pool, 2, backing);
    PooledLane second = lane(pool, 2, other);
    FaultyBacking.Gate gate = backing.hold();
    offer(first, 1);
    gate.awaitWaiting(1);
    offer(second, 1);
    assertThat(ended.get()).isZero();
    gate.release();
    awaitEnded(2);
  }

  @Test
  void closeEndsWhatWaits() throws InterruptedException {
    WorkerPool pool = new WorkerPool(4, 1, LONG);
    PooledLane lane = lane(pool, 1, backing);
    FaultyBacking.Gate gate = backing.hold();
    offer(lane, 3);
    gate.awaitWaiting(1);
    lane.close();
    assertThat(closed.get()).isEqualTo(2);
    gate.release();
    awaitEnded(1);
  }

  @Test
  void manyLanesShareAFewWorkers() throws InterruptedException {
    WorkerPool pool = new WorkerPool(6, 2, Duration.ofMillis(1));
    int laneCount = 5;
    int each = 5_000;
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    backing.fail(
        request -> {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          Thread.onSpinWait();
          inside.decrementAndGet();
          return false;
        },
        Errno.EIO,
        1,
        1);
    List<Thread> submitters = new ArrayList<>();
    for (int i = 0; i < laneCount; i++) {
      PooledLane lane = lane(pool, 2, backing);
      submitters.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      BlockRequest command = command();
                      while (!lane.offer(command)) {
                        Thread.onSpinWait();
                      }
                    }
                  }));
    }
    for (Thread submitter : submitters) {
      assertThat(submitter.join(Duration.ofSeconds(60))).isTrue();
    }
    awaitEnded(laneCount * each);
    assertThat(most.get()).isBetween(1, 6);
    Await.until("all idle", () -> pool.busy() == 0);
    Await.until("no thread", () -> pool.threads() == 0);
  }
}

package io.loopgate.volume;

import static io.loopgate.volume.VolumeFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.sys.AlignedMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private static final int LOOPS = 3;
  private static final int SIZE_BYTES = 1 << 20;

  private final VolumeFixture on =
      new VolumeFixture(
          LOOPS,
          SIZE_BYTES,
          VolumeFixture.settings("workers:4", false, 512).withLimits(new VolumeLimits(1, 0, 0)));

  @AfterEach
  void close() {
    on.close();
  }

  /** Asks for commits on all loops, which have all asked when this returns. */
  private List<CompletableFuture<Long>> ask(int count) {
    List<CompletableFuture<Long>> commits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      commits.add(on.flush(i % LOOPS));
    }
    for (int i = 0; i < LOOPS; i++) {
      on.loop(i).run(() -> {});
    }
    return commits;
  }

  @Test
  void thoseWhoComeDuringAFlushShareTheNext() {
    FaultyBacking.Gate gate = on.backing().hold();
    List<CompletableFuture<Long>> commits = new ArrayList<>(ask(1));
    Await.until("the first flush runs", () -> gate.waiting() == 1);
    commits.addAll(ask(30));
    assertThat(commits).noneMatch(CompletableFuture::isDone);
    gate.release();
    commits.forEach(commit -> assertThat(get(commit)).isZero());
    assertThat(on.backing().executed()).isEqualTo(2);
    assertThat(on.volume().telemetry().flushes()).isEqualTo(2);
    assertThat(on.volume().telemetry().flushedWrites()).isEqualTo(31);
  }

  @Test
  void everyCommitHasAFlushThatBeganAfterItAsked() {
    AtomicLong clock = new AtomicLong();
    ConcurrentSkipListSet<Long> flushes = new ConcurrentSkipListSet<>();
    on.backing()
        .fail(
            request -> {
              if (request.op() == BlockOp.FLUSH) {
                flushes.add(clock.incrementAndGet());
              }
              return false;
            },
            Errno.EIO,
            1,
            1);
    int count = 600;
    List<CompletableFuture<Long>> late = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int loop = i % LOOPS;
      CompletableFuture<Long> done = new CompletableFuture<>();
      late.add(done);
      on.loop(loop)
          .execute(
              () -> {
                long asked = clock.incrementAndGet();
                on.volume()
                    .flush(
                        on.io(loop),
                        result -> {
                          Long began = flushes.higher(asked);
                          boolean covered =
                              result == 0 && began != null && began < clock.incrementAndGet();
                          done.complete(covered ? 0L : 1L);
                        });
              });
    }
    late.forEach(done -> assertThat(get(done)).isZero());
    assertThat(flushes).hasSizeLessThan(count);
  }

  @Test
  void theFirstFailurePoisonsWhoWaitsAndWhoComesLater() {
    on.backing().failNth(BlockOp.FLUSH, 1, Errno.ENOSPC);
    FaultyBacking.Gate gate = on.backing().hold();
    List<CompletableFuture<Long>> commits = new ArrayList<>(ask(1));
    Await.until("the first flush runs", () -> gate.waiting() == 1);
    commits.addAll(ask(6));
    assertThat(on.volume().poison()).isEmpty();
    gate.release();
    commits.forEach(commit -> assertThat(get(commit)).isEqualTo(-Errno.POISONED));
    long executed = on.backing().executed();
    ask(3).forEach(commit -> assertThat(get(commit)).isEqualTo(-Errno.POISONED));
    assertThat(on.backing().executed()).as("nothing more is flushed").isEqualTo(executed);
    assertThat(on.volume().poison()).isEqualTo("ENOSPC");
    assertThat(on.volume().refusal()).isEqualTo(-Errno.POISONED);
    assertThat(on.volume().telemetry().flushErrors()).isEqualTo(1);
    assertThat(on.read(0, 0, 512)).as("it still reads").hasSize(512);
  }

  @Test
  void aFlushThatFoundNoRoomDoesNotPoison() {
    on.backing().forceTry(Errno.EAGAIN);
    FaultyBacking.Gate gate = on.backing().hold();
    IoWindow window = IoWindow.around(0, 512, on.volume().geometry());
    List<CompletableFuture<Long>> reads = new ArrayList<>();
    try (AlignedMemory memory = AlignedMemory.allocate(512, window.allocationBytes())) {
      int room = 1 + 64;
      for (int i = 0; i < room; i++) {
        reads.add(on.readTo(0, window, memory.address()));
      }
      Await.until("full", () -> on.volume().running().engine().inFlight() == room);
      assertThat(get(on.flush(1))).isEqualTo(-Errno.OVERLOADED);
      assertThat(on.volume().poison()).isEmpty();
      gate.release();
      reads.forEach(read -> assertThat(get(read)).isEqualTo(512));
      assertThat(get(on.flush(1))).isZero();
      assertThat(on.volume().refusal()).isZero();
    }
  }

  @Test
  void aDurableChangeWaitsForItsFlushAndTellsOfItsFailure() {
    assertThat(get(on.write(0, 0, BackingFixture.pattern(512, 1)))).isEqualTo(512);
    assertThat(get(durable())).isEqualTo(1);
    on.backing().failFlush(Errno.EIO);
    assertThat(get(durable())).isEqualTo(-Errno.POISONED);
  }

  private CompletableFuture<Long> durable() {
    CompletableFuture<Long> done = new CompletableFuture<>();
    on.loop(0)
        .execute(
            () ->
                on.volume()
                    .beginMutation(on.io(0), Long.MAX_VALUE)
                    .finish(
                        true,
                        (result, sequence, durable) ->
                            done.complete(result < 0 ? result : durable ? 1L : 0L)));
    return done;
  }
}

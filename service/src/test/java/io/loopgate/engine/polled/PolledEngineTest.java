package io.loopgate.engine.polled;

import static io.loopgate.backing.BackingFixture.pattern;
import static io.loopgate.block.BlockOp.READ;
import static io.loopgate.block.BlockOp.WRITE;
import static io.loopgate.engine.aio.AioRig.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.engine.Availability;
import io.loopgate.engine.Await;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.Job;
import io.loopgate.engine.TestLoop;
import io.loopgate.engine.aio.AioRig;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That polling really polls, on files of this machine's kernel. */
class PolledEngineTest {
  private static final int BLOCKS = 64;

  private final AioRig rig = new AioRig(BLOCKS, 2, PolledEngineTest::loop).written();

  private static TestLoop loop(int index) {
    return new TestLoop(index, EpollIoHandler.newFactory());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void open(String spec, int queues) {
    EngineEnvironment environment =
        rig.environment(rig.file(), EngineOptions.DEFAULT.withQueues(queues).withMerge(false));
    rig.on(new EngineSelector().open(spec, environment).engine());
  }

  @ParameterizedTest
  @ValueSource(strings = {"polled:naive", "polled:batch", "polled:hybrid", "polled"})
  void everyEndIsFoundByPolling(String spec) {
    for (int queues : new int[] {1, 2}) {
      long before = rig.telemetry().polled();
      open(spec, queues);
      for (int i = 0; i < 20; i++) {
        byte[] bytes = pattern(BLOCK_BYTES, i);
        assertThat(rig.run(rig.job(i % 2, WRITE, i, 1).fill(bytes))).isEqualTo(BLOCK_BYTES);
        Job read = rig.job(i % 2, READ, i, 1);
        assertThat(rig.run(read)).isEqualTo(BLOCK_BYTES);
        assertThat(read.content(BLOCK_BYTES)).isEqualTo(bytes);
      }
      rig.engine().close();
      assertThat(rig.telemetry().polled() - before).isEqualTo(40);
      assertThat(rig.telemetry().polls()).isPositive();
    }
  }

  @Test
  void severalArePendingWhileItPolls() {
    open("polled:batch", 1);
    Job[] batch = new Job[32];
    for (int i = 0; i < batch.length; i++) {
      batch[i] = rig.job(0, READ, i, 1);
    }
    rig.submit(batch);
    for (Job job : batch) {
      assertThat(job.awaitResult(1)).isEqualTo(BLOCK_BYTES);
    }
    assertThat(rig.telemetry().polled()).isEqualTo(batch.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"polled:batch", "polled:hybrid"})
  void nobodyPollsWhenNothingIsPending(String spec) {
    open(spec, 1);
    assertThat(rig.run(rig.job(1, READ, 1, 1))).isEqualTo(BLOCK_BYTES);
    TestLoop polling = rig.loop(0);
    Await.until(
        "the last pass is over",
        () -> {
          int before = polling.tasks();
          long polls = rig.telemetry().polls();
          for (int i = 0; i < 10; i++) {
            polling.run(() -> {});
          }
          return polling.tasks() == before && rig.telemetry().polls() == polls;
        });
  }

  @Test
  void aPassLeavesTheLoopToItsSockets() {
    // A pass that hands itself to the loop would poll thousands of times in one turn of it.
    open("polled:batch", 1);
    AtomicBoolean stop = new AtomicBoolean();
    Job busy = rig.job(0, 1);
    busy.then(
        () -> {
          if (!stop.get()) {
            busy.prepare(READ, 0, BLOCK_BYTES);
            assertThat(rig.engine().submit(busy.request())).isTrue();
          }
        });
    busy.prepare(READ, 0, BLOCK_BYTES);
    rig.submit(busy);
    try (IoTurns turns = IoTurns.on(rig.loop(0))) {
      long polls = rig.telemetry().polls();
      int served = turns.served();
      turns.await(200);
      polls = rig.telemetry().polls() - polls;
      served = turns.served() - served;
      // One pass in each turn, and a look after each submission.
      assertThat(polls).isBetween(1L, served * 20L);
    } finally {
      stop.set(true);
    }
    Await.until("ended", () -> rig.engine().inFlight() == 0);
  }

  @Test
  void naiveIsRefusedUnlessAllowed() {
    EngineEnvironment allowed = rig.environment(rig.file(), EngineOptions.DEFAULT);
    EngineEnvironment safe =
        new EngineEnvironment("safe", rig.file(), 8, false, List.of(rig.loop(0)), rig.telemetry());
    PolledProvider provider = new PolledProvider();
    Availability refused = provider.probe(provider.configure(spec("naive")), safe);
    assertThat(refused)
        .isInstanceOfSatisfying(
            Availability.Unavailable.class,
            no -> {
              assertThat(no.cause()).contains("stops an event loop");
              assertThat(no.remedy()).contains("--unsafe-inline");
            });
    for (String mode : List.of("batch", "hybrid")) {
      assertThat(provider.probe(provider.configure(spec(mode)), safe))
          .isInstanceOf(Availability.Available.class);
    }
    assertThat(provider.probe(provider.configure(spec("naive")), allowed))
        .isInstanceOf(Availability.Available.class);
  }

  private static EngineSpec spec(String argument) {
    return new EngineSpec("polled", argument);
  }

  @Test
  void modesHaveNames() {
    PolledProvider provider = new PolledProvider();
    assertThat(provider.configure(spec("")).spec()).hasToString("polled:batch");
    assertThat(provider.configure(spec("hybrid")).spec()).hasToString("polled:hybrid");
    assertThatThrownBy(() -> provider.configure(spec("Hybrid")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("naive, batch or hybrid");
  }
}

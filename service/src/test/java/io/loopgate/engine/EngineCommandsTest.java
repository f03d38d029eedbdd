package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EngineCommandsTest {
  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final BlockingWrites blockingWrites = new BlockingWrites();
  private final List<Long> results = new ArrayList<>();
  private final CompletionSink home = new CompletionQueue(0, Runnable::run);
  private final Lane lane = new Lane();
  private FaultyBacking backing;
  private EngineCommands commands;

  /** Queues nothing. */
  private static final class Lane implements CommandLane {
    private boolean full;
    private boolean closed;

    @Override
    public boolean offer(BlockRequest request) {
      return !full;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    backing = new FaultyBacking(FileBackings.open(image, new OpenOptions(false, false, 512)));
    commands = commands(1, 1);
  }

  private EngineCommands commands(int threads, int depth) {
    return new EngineCommands(environment(depth), threads);
  }

  private EngineEnvironment environment(int depth) {
    return new EngineEnvironment(
        "commands",
        backing,
        2,
        false,
        List.of(),
        new VolumeTelemetry("commands"),
        EngineOptions.DEFAULT.withDepth(depth),
        blockingWrites);
  }

  @AfterEach
  void close() throws IOException {
    backing.close();
    Files.delete(image);
  }

  private BlockRequest discard() {
    return slot(home, BlockOp.DISCARD);
  }

  private BlockRequest slot(CompletionSink sink, BlockOp op) {
    return new BlockRequest(sink)
        .prepare(
            op,
            0,
            512,
            0,
            0,
            BlockRequest.NO_DEADLINE,
            (ended, result) -> {
              results.add(result);
            });
  }

  private BlockRequest submitted(BlockRequest request) {
    assertThat(commands.submit(request, lane)).isTrue();
    return request;
  }

  @Test
  void runsAndEndsACommand() {
    BlockRequest request = submitted(discard());
    assertThat(commands.inFlight()).isEqualTo(1);
    assertThat(commands.drain(Duration.ZERO)).isFalse();
    assertThat(commands.run(request)).as("service time").isPositive();
    assertThat(results).containsExactly(512L);
    assertThat(commands.inFlight()).isZero();
    assertThat(commands.drain(Duration.ZERO)).isTrue();
  }

  @Test
  void countsWritesThatMayWait() {
    BlockRequest write = submitted(slot(home, BlockOp.WRITE));
    assertThat(blockingWrites.any()).isTrue();
    commands.end(write, -Errno.CLOSED);
    assertThat(blockingWrites.any()).isFalse();
    lane.full = true;
    assertThat(commands.submit(slot(home, BlockOp.WRITE), lane)).isFalse();
    assertThat(blockingWrites.any()).isFalse();
    assertThat(commands.inFlight()).isZero();
    assertThat(results).containsExactly((long) -Errno.CLOSED);
  }

  @Test
  void whatIsOverdueIsNotBegunButWhatIsInPartDoneGoesOn() {
    BlockRequest late = submitted(overdue());
    commands.run(late);
    BlockRequest rest = submitted(overdue());
    rest.advance(256);
    commands.run(rest);
    assertThat(results).containsExactly((long) -Errno.DEADLINE, 512L);
    assertThat(backing.executed()).isEqualTo(1);
  }

  private BlockRequest overdue() {
    return new BlockRequest(home)
        .prepare(
            BlockOp.DISCARD,
            0,
            512,
            0,
            0,
            System.nanoTime(),
            (ended, result) -> {
              results.add(result);
            });
  }

  @Test
  void whatReachesALaneThatIsClosedEndsAllTheSame() {
    ThreadLane closed = new ThreadLane("loopgate-closed", 1, environment(1), commands);
    closed.close();
    assertThat(commands.submit(discard(), closed)).isTrue();
    assertThat(commands.drain(Duration.ofSeconds(30))).isTrue();
    assertThat(results).hasSize(1);
  }

  @Test
  void aBrokenJvmIsThrownOnAndTheCommandEnds() {
    InternalError broken = new InternalError("a broken JVM");
    backing.fail(
        request -> {
          throw broken;
        },
        Errno.EIO,
        1,
        1);
    BlockRequest request = submitted(discard());
    assertThatThrownBy(() -> commands.run(request)).isSameAs(broken);
    assertThat(results).containsExactly((long) -Errno.EIO);
    assertThat(commands.inFlight()).isZero();
  }

  @Test
  void aLoopThatIsGoneHarmsNobody() {
    CompletionSink gone =
        new CompletionSink() {
          @Override
          public void offer(BlockRequest request) {
            throw new IllegalStateException("the loop has ended");
          }

          @Override
          public int loopIndex() {
            return 0;
          }
        };
    commands.run(submitted(slot(gone, BlockOp.DISCARD)));
    assertThat(commands.inFlight()).isZero();
    commands.run(submitted(discard()));
    assertThat(results).containsExactly(512L);
  }

  @Test
  void whoWaitsForAPermitIsEndedByClose() {
    commands = commands(2, 1);
    FaultyBacking.Gate gate = backing.hold();
    BlockRequest first = submitted(discard());
    Thread holder = Thread.ofPlatform().start(() -> commands.run(first));
    Await.until("held", () -> gate.waiting() == 1);
    BlockRequest second = submitted(discard());
    Thread waiting = Thread.ofPlatform().start(() -> commands.run(second));
    Await.until("waiting", () -> waiting.getState() == Thread.State.WAITING);
    assertThat(backing.executed()).isEqualTo(1);
    waiting.interrupt();
    Await.until("gone", () -> waiting.getState() == Thread.State.TERMINATED);
    assertThat(results).containsExactly((long) -Errno.CLOSED);
    gate.release();
    Await.until("none left", () -> commands.inFlight() == 0);
    Await.until("gone", () -> holder.getState() == Thread.State.TERMINATED);
    assertThat(results).containsExactly((long) -Errno.CLOSED, 512L);
  }

  @Test
  void closeClosesTheLanes() {
    commands.close(lane, lane);
    assertThat(lane.closed).isTrue();
    assertThat(commands.submit(discard(), lane)).isFalse();
    assertThat(results).isEmpty();
  }
}

package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.TestLoop;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.LoopTelemetry;
import io.loopgate.volume.VolumeException.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A volume whose engine pins its file. */
class PinnedVolumeTest {
  private static final int SIZE_BYTES = 1 << 20;
  private static final int BLOCK_BYTES = 4096;

  private final Path folder = BackingFixture.directory().resolve("data");
  private final TestLoop loop = new TestLoop(0);
  private final IoLoop io = new IoLoop(loop, new LoopTelemetry(0, 4096));
  private final VolumeRegistry registry =
      new VolumeRegistry(
          new VolumeOpener(
              (name, options) -> FileBackings.open(Path.of(name), options),
              new EngineSelector(),
              List.of(loop),
              false),
          new DataFolder(folder, FileBackings::create));

  @AfterEach
  void close() {
    registry.close(Duration.ofSeconds(30));
    loop.close();
  }

  private Volume create(String engine) {
    VolumeSettings settings =
        new VolumeSettings(
            "p",
            VolumeCreation.DEFAULT_BACKING,
            engine,
            EngineOptions.DEFAULT,
            NowaitMode.AUTO,
            DirectIo.ON,
            false,
            Durability.DURABLE,
            BLOCK_BYTES,
            AlignmentPolicy.ANY,
            VolumeLimits.DEFAULT);
    return registry.create(new VolumeCreation(settings, SIZE_BYTES, "", "digest")).volume();
  }

  private Volume update(Optional<String> engine, long sizeBytes, EngineOptionsUpdate options) {
    VolumeUpdate update =
        new VolumeUpdate(
            sizeBytes == 0 ? OptionalLong.empty() : OptionalLong.of(sizeBytes),
            true,
            Optional.empty(),
            engine,
            options,
            Optional.empty());
    return registry.update("p", update, volume -> true);
  }

  private Volume engine(String engine) {
    return update(Optional.of(engine), 0, EngineOptionsUpdate.NONE);
  }

  private Volume size(long sizeBytes) {
    return update(Optional.empty(), sizeBytes, EngineOptionsUpdate.NONE);
  }

  private static void assertRefused(Runnable work, Kind kind, String... words) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(VolumeException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .message()
        .contains(words);
  }

  private interface Step {
    void begin(Mutation mutation, IoHandler end);
  }

  private long change(Volume volume, Step step) {
    CompletableFuture<Long> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          Mutation mutation = volume.beginMutation(io, BlockRequest.NO_DEADLINE);
          step.begin(
              mutation,
              ended ->
                  mutation.finish(true, (flushed, sequence, durable) -> result.complete(ended)));
        });
    return VolumeFixture.get(result);
  }

  @Test
  void aSparseFileIsRefusedAndAsBeforeUntilItIsFilled() throws Exception {
    Volume volume = create("workers:2");
    assertRefused(
        () -> engine("pinned"),
        Kind.INVALID,
        "volume p: engine pinned is not available: the range at offset 0 of length 1048576 is a hole",
        "pinned:fill");
    assertThat(volume.running().spec()).hasToString("workers:2");
    assertThat(volume.state()).isEqualTo(VolumeState.OPEN);
    assertThat(volume.enter()).isZero();
    volume.leave();
    engine("pinned:fill");
    assertThat(volume.running().spec()).hasToString("pinned:fill");
    assertThat(volume.running().pinsFile()).isTrue();
    assertThat(volume.running().fastPath().reason()).contains("submitted plainly");
    assertThat(volume.backing().allocatedBytes()).isGreaterThanOrEqualTo(SIZE_BYTES);
    assertThat(engine("pinned").running().spec()).hasToString("pinned");
    assertThat(Files.readAllBytes(folder.resolve("p.img"))).containsOnly(0);
  }

  @Test
  void itKeepsItsSizeUntilAnotherEngineTakesOver() {
    Volume volume = create("pinned:fill");
    for (long size : new long[] {2L * SIZE_BYTES, SIZE_BYTES / 2}) {
      assertRefused(
          () -> size(size),
          Kind.IN_USE,
          "keeps its size while engine pinned:fill runs",
          "change the engine first");
      assertRefused(
          () -> update(Optional.of("workers:1"), size, EngineOptionsUpdate.NONE),
          Kind.IN_USE,
          "keeps its size");
    }
    assertThat(size(SIZE_BYTES).sizeBytes()).as("the same size").isEqualTo(SIZE_BYTES);
    engine("workers:1");
    assertRefused(
        () -> update(Optional.of("pinned"), 2L * SIZE_BYTES, EngineOptionsUpdate.NONE),
        Kind.IN_USE,
        "while engine pinned runs");
    assertThat(size(2L * SIZE_BYTES).sizeBytes()).isEqualTo(2L * SIZE_BYTES);
    assertRefused(() -> engine("pinned"), Kind.INVALID, "offset 1048576 of length 1048576");
    assertThat(volume.running().pinsFile()).isFalse();
  }

  @Test
  void discardAndZeroLeaveItWhole() throws Exception {
    Volume volume = create("pinned:fill");
    byte[] expected = pattern(SIZE_BYTES, 1);
    Files.write(folder.resolve("p.img"), expected);
    engine("pinned");
    assertThat(change(volume, (mutation, end) -> mutation.discard(100, 10_000, end)))
        .isEqualTo(10_000);
    assertThat(change(volume, (mutation, end) -> mutation.zero(500_000, 300_001, true, end)))
        .isEqualTo(300_001);
    Arrays.fill(expected, 100, 10_100, (byte) 0);
    Arrays.fill(expected, 500_000, 800_001, (byte) 0);
    assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("p.img")), expected)).isTrue();
    EngineOptionsUpdate deeper =
        new EngineOptionsUpdate(
            Optional.empty(), Optional.of(7), Optional.empty(), Optional.empty());
    assertThat(update(Optional.empty(), 0, deeper).running().spec())
        .as("proven once more")
        .hasToString("pinned");
  }

  @Test
  void requestsComeBackLaterWhileItIsQuiet() {
    Volume volume = create("workers:1");
    volume.whileQuiet(
        () -> {
          assertThat(volume.enter()).isEqualTo(-Errno.OVERLOADED);
          assertThat(volume.state()).isEqualTo(VolumeState.PAUSED);
        });
    assertThatThrownBy(
            () ->
                volume.whileQuiet(
                    () -> {
                      throw new IllegalStateException("no");
                    }))
        .isInstanceOf(IllegalStateException.class);
    assertThat(volume.enter()).isZero();
    volume.leave();
  }
}

package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.SegmentedBacking;
import io.loopgate.backing.blockdev.LoopDevice;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import io.loopgate.block.BlockOp;
import io.loopgate.engine.Await;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.NowaitOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Engines and settings of volumes on memory, on nothing, on devices and on several at once. */
class JoinedVolumeTest {
  private static final int BLOCK_BYTES = 4096;

  private final Path folder = BackingFixture.directory();
  private final Path image = folder.resolve("a.raw");
  private final TestLoop loop = new TestLoop(0);
  private final VolumeRegistry registry =
      new VolumeRegistry(
          new VolumeOpener(Backings::open, new EngineSelector(), List.of(loop), false),
          new DataFolder(folder, FileBackings::create));

  private Volume open(VolumeSettings settings) {
    return registry.openConfigured(settings, OptionalLong.empty());
  }

  private Volume open(String backing) {
    return open(VolumeSettings.of("v", backing));
  }

  @AfterEach
  void close() throws Exception {
    registry.close(Duration.ofSeconds(30));
    loop.close();
    Files.deleteIfExists(image);
  }

  @Test
  void inlineOnMemoryNeedsNoInsisting() {
    for (String backing : List.of("ram:1MiB", "null:1TiB", "linear:ram:1MiB+null:1MiB")) {
      VolumeSettings settings = VolumeSettings.of("v" + backing.length(), backing);
      assertThat(open(settings.withEngine("inline")).running().spec()).hasToString("inline");
    }
    FileBackings.create(image, 1 << 20);
    assertThatThrownBy(
            () -> open(VolumeSettings.of("m", "linear:ram:1MiB+" + image).withEngine("inline")))
        .isInstanceOf(VolumeException.class)
        .hasMessageContaining("volume m: segment 2 (" + image + "): ")
        .hasMessageContaining("this backing can block");
    // Neither engine nor lock of the refused one is left.
    open(image.toString());
  }

  @Test
  void theFastPathIsThatOfTheWeakestSegment() {
    FastPath memory = open("linear:ram:1MiB+ram:1MiB").running().fastPath();
    assertThat(memory.read()).isTrue();
    assertThat(memory.write()).isTrue();
    FileBackings.create(image, 1 << 20);
    RunningEngine mixed = open(VolumeSettings.of("m", "linear:ram:1MiB+" + image)).running();
    assertThat(mixed.reason()).contains("segment").contains("first that can run");
    if (!mixed.fastPath().write()) {
      assertThat(mixed.fastPath().reason()).contains("segment 2 (" + image + "): reads: ");
    }
  }

  @Test
  void engineAndReasonNameEachSegmentWhereTheyDiffer() {
    Volume volume = open("linear:ram:1MiB+null:1MiB");
    RunningEngine same = volume.running();
    assertThat(same.spec().toString()).isNotEmpty().doesNotContain("+");
    assertThat(same.reason()).startsWith("one for each of 2 segments: ");
    RunningEngine other =
        new RunningEngine(same.engine(), new EngineSpec("x", "2"), "why", same.fastPath(), false);
    List<RunningEngine> mixed = List.of(other, same);
    assertThat(EngineStack.spec(mixed)).hasToString("x:2+" + same.spec());
    assertThat(EngineStack.reason(mixed, ((SegmentedBacking) volume.backing()).segments()))
        .startsWith("segment 1 (ram:1MiB): x:2, why; segment 2 (null:1MiB): " + same.spec());
  }

  @Test
  void everythingOnMemoryIsAnsweredOnTheLoop() {
    for (String backing : List.of("ram:1MiB", "linear:ram:128KiB+ram:896KiB")) {
      try (VolumeFixture on = VolumeFixture.on("workers:1", BLOCK_BYTES, image -> backing)) {
        byte[] bytes = pattern(200_000, 1);
        assertThat(VolumeFixture.get(on.write(0, 1000, bytes))).isEqualTo(bytes.length);
        assertThat(on.read(1, 1000, bytes.length)).isEqualTo(bytes);
        assertThat(on.volume().telemetry().queueWait().snapshot().count())
            .as("of workers")
            .isZero();
        assertThat(on.volume().telemetry().nowaitCount(BlockOp.READ, NowaitOutcome.HIT))
            .isPositive();
        assertThat(on.volume().telemetry().nowaitCount(BlockOp.WRITE, NowaitOutcome.HIT))
            .isPositive();
      }
    }
  }

  @Test
  void anEngineIsSwitchedUnderLoadWithoutLoss() throws Exception {
    try (VolumeFixture on =
        VolumeFixture.on("workers:2", 1 << 20, file -> "linear:ram:516KiB+" + file)) {
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger wrong = new AtomicInteger();
      AtomicInteger rounds = new AtomicInteger();
      Thread load =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!stop.get()) {
                      byte[] bytes = pattern(2 * BLOCK_BYTES, rounds.incrementAndGet());
                      long offset = 516L * 1024 - BLOCK_BYTES;
                      if (VolumeFixture.get(on.write(0, offset, bytes)) != bytes.length
                          || !java.util.Arrays.equals(on.read(1, offset, bytes.length), bytes)) {
                        wrong.incrementAndGet();
                      }
                    }
                  });
      for (String engine : List.of("single", "workers:3", "auto", "single", "workers:1")) {
        int before = rounds.get();
        Await.until("load runs", () -> rounds.get() > before + 20);
        on.switchEngine(engine);
      }
      stop.set(true);
      assertThat(load.join(Duration.ofSeconds(30))).isTrue();
      assertThat(wrong).hasValue(0);
    }
  }

  @Test
  void memoryIsNeverDurableAndFilesAre() {
    assertThat(open("ram:1MiB").durability()).isEqualTo(Durability.WRITEBACK);
    assertThat(open(VolumeSettings.of("n", "null:1MiB")).durability())
        .isEqualTo(Durability.WRITEBACK);
    FileBackings.create(image, 1 << 20);
    assertThat(open(VolumeSettings.of("f", image.toString())).durability())
        .isEqualTo(Durability.DURABLE);
    assertThat(open(VolumeSettings.of("l", "linear:ram:1MiB+null:1MiB")).stable().reason())
        .startsWith("segment 1 (ram:1MiB): ");
  }

  @Test
  void aDeviceIsDirectUnlessToldOtherwiseAndAFileIsNot() throws Exception {
    try (LoopDevice device = LoopDevice.attach(1 << 20)) {
      Volume volume = open(device.device().toString());
      assertThat(volume.settings().direct()).isEqualTo(DirectIo.AUTO);
      assertThat(volume.isDirect()).isTrue();
      assertThat(volume.running().fastPath().reason()).contains("direct");
      registry.close(Duration.ofSeconds(30));
    }
    FileBackings.create(image, 1 << 20);
    assertThat(open(VolumeSettings.of("f", image.toString())).isDirect()).isFalse();
  }
}

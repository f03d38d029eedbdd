package io.loopgate.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.engine.Availability;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineOptions;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UringProviderTest {
  private static final Path MEMORY_FILES = Path.of("/dev/shm");

  private final UringProvider provider = new UringProvider();
  private final EngineConfig config = provider.configure(new EngineSpec("uring", ""));
  private final TestLoop plain = new TestLoop(0);
  private Path image = BackingFixture.directory().resolve("image.raw");

  @AfterEach
  void close() throws IOException {
    plain.close();
    Files.deleteIfExists(image);
  }

  private DescriptorBacking open(boolean direct) {
    FileBackings.create(image, 1 << 20);
    return FileBackings.open(image, new OpenOptions(false, direct, 4096));
  }

  private static EngineEnvironment environment(
      Backing backing, List<TestLoop> loops, EngineOptions options) {
    return new EngineEnvironment(
        "provided",
        backing,
        8,
        false,
        List.copyOf(loops),
        new VolumeTelemetry("provided"),
        options,
        new BlockingWrites());
  }

  private Availability probe(Backing backing, List<TestLoop> loops) {
    return provider.probe(config, environment(backing, loops, EngineOptions.DEFAULT));
  }

  @Test
  void takesNoArgument() {
    assertThat(config.spec()).isEqualTo(new EngineSpec("uring", ""));
    assertThatThrownBy(() -> provider.configure(new EngineSpec("uring", "4")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes no argument")
        .hasMessageContaining("queues");
  }

  @Test
  void saysWhoseRingItIs() {
    try (Backing file = open(true)) {
      assertThat(probe(file, RingLoops.take(2)))
          .isEqualTo(new Availability.Available("the event loops' own rings"));
      Availability elsewhere =
          new Availability.Available(
              "a ring thread of its own, as the event loops are not on io_uring");
      assertThat(probe(file, List.of(plain))).isEqualTo(elsewhere);
      assertThat(probe(file, List.of())).isEqualTo(elsewhere);
      assertThat(probe(file, List.of(RingLoops.take(1).getFirst(), plain))).isEqualTo(elsewhere);
    }
  }

  @Test
  void needsAnOpenFile() {
    try (Backing none = new FaultyBacking(open(true))) {
      assertThat(probe(none, List.of(plain)))
          .isInstanceOfSatisfying(
              Availability.Unavailable.class,
              found -> assertThat(found.cause()).contains("is no open file"));
    }
  }

  @Test
  void eachEventLoopHasAQueueUnlessToldOtherwise() {
    try (Backing file = open(true)) {
      EngineEnvironment environment = environment(file, RingLoops.take(3), EngineOptions.DEFAULT);
      assertThat(provider.defaultQueues(config, environment)).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void workersAreFewWhereTheKernelTriesWithoutWaiting(boolean direct) {
    try (DescriptorBacking file = open(direct)) {
      assertThat(leavesAllToWorkers(file, EngineOptions.DEFAULT)).isFalse();
      assertThat(leavesAllToWorkers(file, EngineOptions.DEFAULT.withPunt(true))).isTrue();
    }
  }

  @Test
  void workersAreManyWhereReadsCannotButWait() throws IOException {
    boolean there =
        Files.isWritable(MEMORY_FILES) && Files.getFileStore(MEMORY_FILES).type().equals("tmpfs");
    Assumptions.assumeTrue(there, "no file system in memory, whose files refuse RWF_NOWAIT");
    Files.deleteIfExists(image);
    image = Files.createTempDirectory(MEMORY_FILES, "loopgate").resolve("image.raw");
    try (DescriptorBacking file = open(false)) {
      assertThat(leavesAllToWorkers(file, EngineOptions.DEFAULT)).isTrue();
    } finally {
      Files.delete(image);
      Files.delete(image.resolveSibling(""));
    }
  }

  private static boolean leavesAllToWorkers(DescriptorBacking file, EngineOptions options) {
    return UringProvider.leavesAllToWorkers(file, environment(file, List.of(), options));
  }
}

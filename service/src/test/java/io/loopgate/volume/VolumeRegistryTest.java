package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockRequest;
import io.loopgate.engine.Await;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.TestLoop;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.telemetry.LoopTelemetry;
import io.loopgate.volume.VolumeException.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VolumeRegistryTest {
  private static final long SIZE_BYTES = 1 << 20;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Path folder = BackingFixture.directory().resolve("data");
  private final TestLoop loop = new TestLoop(0);
  private final IoLoop io = new IoLoop(loop, new LoopTelemetry(0, 4096));
  private VolumeRegistry registry = open();

  private VolumeRegistry open() {
    VolumeOpener opener =
        new VolumeOpener(
            (name, options) -> FileBackings.open(Path.of(name), options),
            new EngineSelector(),
            List.of(loop),
            false);
    return new VolumeRegistry(opener, new DataFolder(folder, FileBackings::create));
  }

  @AfterEach
  void close() {
    registry.close(TIMEOUT);
    loop.close();
  }

  private static VolumeCreation creation(String id, String backing, long size, String key) {
    return new VolumeCreation(VolumeSettings.of(id, backing), size, key, "digest of " + id + size);
  }

  private Volume create(String id) {
    return registry.create(creation(id, VolumeCreation.DEFAULT_BACKING, SIZE_BYTES, "")).volume();
  }

  private static VolumeUpdate size(long sizeBytes, boolean allowShrink) {
    return new VolumeUpdate(
        OptionalLong.of(sizeBytes),
        allowShrink,
        Optional.empty(),
        Optional.empty(),
        EngineOptionsUpdate.NONE,
        Optional.empty());
  }

  private static VolumeUpdate engine(String engine) {
    return new VolumeUpdate(
        OptionalLong.empty(),
        false,
        Optional.empty(),
        Optional.of(engine),
        EngineOptionsUpdate.NONE,
        Optional.empty());
  }

  private static void refused(Kind kind, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(VolumeException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  /** Serves one request from entering to leaving. */
  private long write(Volume volume, long offsetBytes, byte[] bytes) {
    AlignedMemory memory = AlignedMemory.allocate(512, bytes.length);
    MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    CompletableFuture<Long> result = new CompletableFuture<>();
    loop.execute(
        () -> {
          long refused = volume.enter();
          if (refused != 0) {
            result.complete(refused);
            return;
          }
          Mutation mutation = volume.beginMutation(io, BlockRequest.NO_DEADLINE);
          mutation.write(
              IoWindow.around(offsetBytes, bytes.length, volume.geometry()),
              memory.address(),
              written ->
                  mutation.finish(
                      false,
                      (ended, sequence, durable) -> {
                        volume.leave();
                        result.complete(written);
                      }));
        });
    long written = VolumeFixture.get(result);
    memory.close();
    return written;
  }

  @Test
  void createsFindsAndLists() {
    Volume b = create("b");
    Volume a = create("a");
    assertThat(registry.find("a")).containsSame(a);
    assertThat(registry.find("c")).isEmpty();
    assertThat(registry.list()).containsExactly(a, b);
    assertThat(a.sizeBytes()).isEqualTo(SIZE_BYTES);
    assertThat(folder.resolve("a.img")).hasSize(SIZE_BYTES);
    assertThat(write(a, 0, pattern(512, 1))).isEqualTo(512);
    refused(Kind.EXISTS, () -> create("a"));
  }

  @Test
  void theSameRequestCreatesOnce() {
    VolumeCreation creation = creation("a", VolumeCreation.DEFAULT_BACKING, SIZE_BYTES, "key");
    VolumeRegistry.Created first = registry.create(creation);
    VolumeRegistry.Created again = registry.create(creation);
    assertThat(first.repeated()).isFalse();
    assertThat(again.repeated()).isTrue();
    assertThat(again.volume()).isSameAs(first.volume());
    refused(
        Kind.IDEMPOTENCY_CONFLICT,
        () -> registry.create(creation("b", VolumeCreation.DEFAULT_BACKING, SIZE_BYTES, "key")));
    assertThat(registry.list()).hasSize(1);
  }

  @Test
  void whatCannotBeCreatedLeavesNothing() throws IOException {
    refused(Kind.INVALID, () -> registry.create(creation("a", "../a.img", SIZE_BYTES, "")));
    refused(Kind.INVALID, () -> registry.create(creation("a", "b.volume", SIZE_BYTES, "")));
    VolumeSettings inline = VolumeSettings.of("a", "*").withEngine("inline");
    refused(Kind.INVALID, () -> registry.create(new VolumeCreation(inline, SIZE_BYTES, "", "")));
    VolumeSettings turbo = VolumeSettings.of("a", "*").withEngine("turbo");
    refused(Kind.INVALID, () -> registry.create(new VolumeCreation(turbo, SIZE_BYTES, "", "")));
    assertThat(registry.list()).isEmpty();
    if (Files.exists(folder)) {
      assertThat(folder).isEmptyDirectory();
    }
    Files.createDirectories(folder);
    FileBackings.create(folder.resolve("old.img"), SIZE_BYTES);
    refused(Kind.EXISTS, () -> create("old"));
    refused(Kind.INVALID, () -> registry.create(creation("x", "old.img", 4096, "")));
    assertThat(folder.resolve("old.img")).hasSize(SIZE_BYTES);
    assertThat(registry.create(creation("x", "old.img", SIZE_BYTES, "")).volume().sizeBytes())
        .isEqualTo(SIZE_BYTES);
    registry.delete("x", volume -> true);
    assertThat(folder.resolve("old.img")).as("it was not made with the volume").exists();
  }

  @Test
  void deletesWhatIsIdle() {
    Volume a = create("a");
    assertThat(a.enter()).isZero();
    refused(Kind.IN_USE, () -> registry.delete("a", volume -> true));
    assertThat(a.state()).isEqualTo(VolumeState.OPEN);
    assertThat(a.enter()).as("it still serves").isZero();
    a.leave();
    a.leave();
    refused(Kind.PRECONDITION, () -> registry.delete("a", volume -> false));
    registry.delete("a", volume -> true);
    assertThat(a.state()).isEqualTo(VolumeState.CLOSED);
    assertThat(registry.find("a")).isEmpty();
    assertThat(folder).isEmptyDirectory();
    refused(Kind.NO_SUCH_VOLUME, () -> registry.delete("a", volume -> true));
  }

  @Test
  void aVolumeDeletedRightAfterItsLastAnswerGivesItsFileBack() throws IOException {
    Files.createDirectories(folder);
    FileBackings.create(folder.resolve("kept.img"), SIZE_BYTES);
    for (int i = 0; i < 60; i++) {
      Volume volume = registry.create(creation("a", "kept.img", SIZE_BYTES, "")).volume();
      assertThat(write(volume, 0, pattern(512, i))).isEqualTo(512);
      registry.delete("a", any -> true);
    }
  }

  @Test
  void growsUnderLoadAndShrinksOnlyWhenToldTo() throws InterruptedException {
    Volume a = create("a");
    AtomicInteger failures = new AtomicInteger();
    Thread writer = load(a, new AtomicBoolean(), 300, failures);
    for (int i = 2; i <= 6; i++) {
      registry.update("a", size(i * SIZE_BYTES, false), volume -> true);
      assertThat(a.sizeBytes()).isEqualTo(i * SIZE_BYTES);
      assertThat(write(a, i * SIZE_BYTES - 512, pattern(512, i))).isEqualTo(512);
    }
    assertThat(writer.join(TIMEOUT)).isTrue();
    assertThat(failures.get()).isZero();
    refused(Kind.INVALID, () -> registry.update("a", size(SIZE_BYTES, false), volume -> true));
    long before = a.currentSequence();
    registry.update("a", size(SIZE_BYTES, true), volume -> true);
    assertThat(folder.resolve("a.img")).hasSize(SIZE_BYTES);
    assertThat(a.sizeBytes()).isEqualTo(SIZE_BYTES);
    assertThat(a.currentSequence()).isGreaterThan(before);
    assertThat(a.state()).isEqualTo(VolumeState.OPEN);
    assertThat(write(a, 0, pattern(512, 1))).isEqualTo(512);
  }

  private Thread load(Volume volume, AtomicBoolean stop, int count, AtomicInteger failures) {
    return Thread.ofPlatform()
        .start(
            () -> {
              for (int i = 0; i < count && !stop.get(); i++) {
                if (write(volume, i % 64 * 512L, pattern(512, i)) != 512) {
                  failures.incrementAndGet();
                }
              }
            });
  }

  @Test
  void switchesEnginesUnderLoad() throws InterruptedException {
    Volume a = create("a");
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger failures = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      writers.add(load(a, stop, Integer.MAX_VALUE, failures));
    }
    int revision = a.revision();
    for (int i = 0; i < 20; i++) {
      String engine = i % 2 == 0 ? "single" : "workers:2";
      registry.update("a", engine(engine), volume -> true);
      assertThat(a.running().spec()).hasToString(engine);
    }
    stop.set(true);
    for (Thread writer : writers) {
      assertThat(writer.join(TIMEOUT)).isTrue();
    }
    assertThat(failures.get()).isZero();
    assertThat(a.revision()).isEqualTo(revision + 20);
    Await.until("nothing is left inside", () -> a.inFlight() == 0);
  }

  @Test
  void anUpdateThatFailsLeavesAllAsItWas() {
    Volume a = create("a");
    VolumeUpdate update =
        new VolumeUpdate(
            OptionalLong.of(2 * SIZE_BYTES),
            false,
            Optional.of(true),
            Optional.of("inline"),
            EngineOptionsUpdate.NONE,
            Optional.empty());
    refused(Kind.INVALID, () -> registry.update("a", update, volume -> true));
    refused(Kind.PRECONDITION, () -> registry.update("a", engine("single"), volume -> false));
    assertThat(a.sizeBytes()).isEqualTo(SIZE_BYTES);
    assertThat(a.settings()).isEqualTo(a.settings().withEngine("auto").withReadOnly(false));
    assertThat(a.revision()).isZero();
    assertThat(write(a, 0, pattern(512, 1))).isEqualTo(512);
  }

  @Test
  void anotherStartFindsEverything() {
    create("a");
    Volume b = create("b");
    assertThat(write(b, 512, pattern(512, 5))).isEqualTo(512);
    registry.update("b", engine("workers:2"), volume -> true);
    registry.update("b", size(2 * SIZE_BYTES, false), volume -> true);
    String incarnation = b.incarnation();
    assertThat(registry.close(TIMEOUT)).isTrue();
    registry = open();
    registry.openStored();
    assertThat(registry.list()).extracting(Volume::id).containsExactly("a", "b");
    Volume again = registry.find("b").orElseThrow();
    assertThat(again.sizeBytes()).isEqualTo(2 * SIZE_BYTES);
    assertThat(again.settings().engine()).isEqualTo("workers:2");
    assertThat(again.incarnation()).isNotEqualTo(incarnation);
    registry.delete("b", volume -> true);
    assertThat(folder.resolve("b.img")).doesNotExist();
  }

  @Test
  void anInterruptedCreationIsFinished() throws IOException {
    VolumeStore store = new VolumeStore(folder);
    for (String id : List.of("no-file", "empty-file", "whole-file")) {
      store.write(
          new VolumeDescriptor(
              VolumeSettings.of(id, id + ".img"), SIZE_BYTES, true, true, "key-" + id, "digest"));
    }
    Files.createFile(folder.resolve("empty-file.img"));
    FileBackings.create(folder.resolve("whole-file.img"), SIZE_BYTES);
    registry.openStored();
    assertThat(registry.list())
        .hasSize(3)
        .allSatisfy(volume -> assertThat(volume.sizeBytes()).isEqualTo(SIZE_BYTES));
    assertThat(store.readAll()).noneMatch(VolumeDescriptor::creating);
    assertThat(
            registry
                .create(
                    new VolumeCreation(
                        VolumeSettings.of("no-file", "*"), SIZE_BYTES, "key-no-file", "digest"))
                .repeated())
        .isTrue();
  }

  @Test
  void configuredVolumesStay() {
    Path image = folder.resolveSibling("configured.img");
    VolumeSettings settings = VolumeSettings.of("c", image.toString());
    Volume volume = registry.openConfigured(settings, OptionalLong.of(SIZE_BYTES));
    assertThat(image).hasSize(SIZE_BYTES);
    refused(Kind.FORBIDDEN, () -> registry.delete("c", any -> true));
    refused(Kind.EXISTS, () -> create("c"));
    refused(Kind.EXISTS, () -> registry.openConfigured(settings, OptionalLong.empty()));
    assertThat(write(volume, 0, pattern(512, 1))).isEqualTo(512);
    assertThat(registry.list()).containsExactly(volume);
  }

  @Test
  void aConfiguredVolumeAndAStoredOneOfOneNameAreTold() {
    create("a");
    assertThat(registry.close(TIMEOUT)).isTrue();
    registry = open();
    registry.openConfigured(
        VolumeSettings.of("a", folder.resolveSibling("other.img").toString()),
        OptionalLong.of(SIZE_BYTES));
    refused(Kind.EXISTS, () -> registry.openStored());
  }
}

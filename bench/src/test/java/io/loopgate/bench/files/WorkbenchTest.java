package io.loopgate.bench.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.loopgate.bench.control.Stop;
import io.loopgate.bench.control.StoppedException;
import io.loopgate.bench.machine.Tool;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Fill;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Target;
import io.loopgate.bench.shape.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkbenchTest {
  private static final long SIZE_BYTES = 3 << 20;

  private final Stop stop = new Stop();
  private Path base = Path.of("");

  /** On the file system of the build: one in memory has no holes to speak of and no direct I/O. */
  @BeforeEach
  void makeBase() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "workbench"));
    base = Files.createTempDirectory(parent, "t").toAbsolutePath();
  }

  private Workbench workbench(boolean keep) {
    LiveCdImage liveCd = new LiveCdImage(base.resolve("source"), base.resolve("cache"), stop);
    return new Workbench(base.resolve("data"), keep, liveCd, stop);
  }

  private static Workload workload(Target target, boolean direct, Cache cache) {
    return new Workload("test", target, Access.of(Rw.RANDREAD, 4096, 1, 1, direct, cache));
  }

  private static Workload hot(Target target) {
    return workload(target, false, Cache.HOT);
  }

  private static long stored(Path file) {
    Tool.Result result = Tool.run(List.of("stat", "-c", "%b", file.toString()), new Stop());
    return 512 * Long.parseLong(result.out().strip());
  }

  @Test
  void aWrittenFileIsAllocatedAndMadeOnce() throws IOException {
    try (Workbench workbench = workbench(false)) {
      Workload workload = hot(new Target.Image(SIZE_BYTES, Fill.WRITTEN, false));
      Path file = workbench.prepare(workload).files().getFirst();
      assertThat(Files.size(file)).isEqualTo(SIZE_BYTES);
      assertThat(stored(file)).isGreaterThanOrEqualTo(SIZE_BYTES);
      Files.writeString(file, "still the same");
      workbench.prepare(workload);
      assertThat(file).hasContent("still the same");
    }
  }

  @Test
  void aFreshFileIsAHoleAgainForEachRun() throws IOException {
    try (Workbench workbench = workbench(false)) {
      Workload workload =
          workload(new Target.Image(SIZE_BYTES, Fill.SPARSE, true), true, Cache.COLD);
      Path file = workbench.prepare(workload).files().getFirst();
      Files.write(file, new byte[1 << 20]);
      workbench.prepare(workload);
      assertThat(Files.size(file)).isEqualTo(SIZE_BYTES);
      assertThat(stored(file)).isLessThan(1 << 20);
    }
  }

  @Test
  void severalFilesAreNamedAsOneVolume() {
    try (Workbench workbench = workbench(false)) {
      Prepared prepared = workbench.prepare(hot(new Target.Linear(3, 1 << 20)));
      assertThat(prepared.files()).hasSize(3).allMatch(Files::isRegularFile);
      assertThat(prepared.backing())
          .isEqualTo(
              "linear:"
                  + prepared.files().get(0)
                  + "+"
                  + prepared.files().get(1)
                  + "+"
                  + prepared.files().get(2));
    }
  }

  @Test
  void memoryNeedsNoFile() {
    try (Workbench workbench = workbench(false)) {
      assertThat(workbench.prepare(hot(new Target.Ram(1 << 20))))
          .isEqualTo(new Prepared("ram:1MiB", List.of()));
      assertThat(workbench.prepare(hot(new Target.Nothing(1 << 30))))
          .isEqualTo(new Prepared("null:1GiB", List.of()));
    }
    assertThat(base.resolve("data")).doesNotExist();
  }

  @Test
  void allThatWasMadeIsRemovedUnlessItIsToStay() {
    try (Workbench workbench = workbench(false)) {
      workbench.prepare(hot(new Target.Linear(2, 1 << 20)));
    }
    assertThat(base.resolve("data")).doesNotExist();
    try (Workbench workbench = workbench(true)) {
      workbench.prepare(hot(new Target.Linear(2, 1 << 20)));
    }
    assertThat(base.resolve("data")).isDirectoryContaining("glob:**.img");
  }

  @Test
  void filesOfOthersStay() throws IOException {
    Path other = Files.createDirectories(base.resolve("data")).resolve("other");
    Files.writeString(other, "mine");
    try (Workbench workbench = workbench(false)) {
      workbench.prepare(hot(new Target.Image(SIZE_BYTES, Fill.SPARSE, false)));
    }
    assertThat(other).hasContent("mine");
    assertThat(base.resolve("data")).isDirectoryNotContaining("glob:**.img");
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAnythingIsWritten() {
    try (Workbench workbench = workbench(false)) {
      Workload huge = hot(new Target.Image(1L << 60, Fill.WRITTEN, false));
      assertThatThrownBy(() -> workbench.prepare(huge))
          .isInstanceOf(TargetException.class)
          .hasMessageContaining("no room for 1024PiB")
          .hasMessageContaining("--size");
    }
    assertThat(base.resolve("data")).doesNotExist();
  }

  @Test
  void aWishToStopLeavesNoHalfFile() {
    stop.request();
    try (Workbench workbench = workbench(true)) {
      Workload workload = hot(new Target.Image(SIZE_BYTES, Fill.WRITTEN, false));
      assertThatThrownBy(() -> workbench.prepare(workload)).isInstanceOf(StoppedException.class);
    }
    assertThat(base.resolve("data")).isEmptyDirectory();
  }

  @Test
  void theImageOfALiveCdIsASquashfsAndIsMadeOnce() throws IOException {
    boolean there = Tool.run(List.of("mksquashfs", "-version"), stop).code() != 127;
    assumeTrue(there || "true".equals(System.getenv("CI")), "there is no mksquashfs here");
    Path source = Files.createDirectories(base.resolve("source"));
    Files.write(source.resolve("program"), new byte[100_000]);
    try (Workbench workbench = workbench(false)) {
      Path image = workbench.prepare(hot(new Target.LiveCd())).files().getFirst();
      assertThat(Files.readAllBytes(image)).startsWith((byte) 'h', 's', 'q', 's');
      Files.delete(source.resolve("program"));
      assertThat(workbench.prepare(hot(new Target.LiveCd())).files()).containsExactly(image);
    }
    assertThat(base.resolve("cache")).isDirectoryContaining("glob:**.squashfs");
  }

  @Test
  void aFolderThatCannotBePackedIsSaid() {
    try (Workbench workbench = workbench(false)) {
      assertThatThrownBy(() -> workbench.prepare(hot(new Target.LiveCd())))
          .isInstanceOf(TargetException.class)
          .hasMessageContaining("mksquashfs");
    }
  }
}

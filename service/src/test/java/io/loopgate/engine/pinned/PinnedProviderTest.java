package io.loopgate.engine.pinned;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.MountedImage;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import io.loopgate.block.Errno;
import io.loopgate.engine.Availability;
import io.loopgate.engine.EngineConfig;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.QueuedWorkers;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.ScriptedSystemCalls;
import io.loopgate.sys.SystemCalls;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are pinned, which are not and why, and what filling does. */
class PinnedProviderTest {
  private static final int MIB = 1 << 20;
  private static final int SIZE_BYTES = 4 * MIB;
  private static final String XFS_MKFS = "mkfs.xfs";

  private final Path directory = BackingFixture.directory();
  private final SystemCalls calls = SystemCalls.instance();
  private Path image = directory.resolve("image.raw");

  @AfterEach
  void delete() throws IOException {
    Files.deleteIfExists(image);
    Files.deleteIfExists(directory.resolve("other.raw"));
    Files.delete(directory);
  }

  /** Threads in place of a transfer engine. */
  private static final class Threads implements TransferEngine {
    private final Availability availability;

    Threads(Availability availability) {
      this.availability = availability;
    }

    @Override
    public Availability probe(EngineEnvironment environment) {
      return availability;
    }

    @Override
    public int defaultQueues(EngineEnvironment environment) {
      return 3;
    }

    @Override
    public LoopEngine open(EngineEnvironment environment) {
      assertThat(environment.backing()).isInstanceOf(PinnedBacking.class);
      return new QueuedWorkers("pinned-test", 1, environment);
    }
  }

  private static final Threads THREADS = new Threads(new Availability.Available("threads"));

  private static EngineEnvironment environment(Backing backing) {
    return new EngineEnvironment("p", backing, 4, false, List.of(), new VolumeTelemetry("p"));
  }

  private Backing open() {
    return Backings.open(image.toString(), new OpenOptions(false, true, 512));
  }

  private Availability probe(String argument) {
    return probe(new PinnedProvider(THREADS, calls), argument);
  }

  private Availability probe(PinnedProvider provider, String argument) {
    try (Backing backing = open()) {
      return probe(provider, argument, backing);
    }
  }

  private static Availability probe(PinnedProvider provider, String argument, Backing backing) {
    return provider.probe(config(provider, argument), environment(backing));
  }

  private static EngineConfig config(PinnedProvider provider, String argument) {
    return provider.configure(new EngineSpec("pinned", argument));
  }

  private void fill(SystemCalls by) {
    PinnedProvider provider = new PinnedProvider(THREADS, by);
    try (Backing backing = open();
        LoopEngine engine = provider.open(config(provider, "fill"), environment(backing))) {
      assertThat(engine.inFlight()).isZero();
    }
  }

  private static void assertNo(Availability found, String... words) {
    assertThat(found).isInstanceOf(Availability.Unavailable.class);
    Availability.Unavailable no = (Availability.Unavailable) found;
    assertThat(no.cause() + "; " + no.remedy()).contains(words);
  }

  private void assertWhole() {
    assertThat(fact(probe(""))).isEqualTo("the file is private and lies whole in 1 extent");
  }

  private static String fact(Availability found) {
    assertThat(found).isInstanceOf(Availability.Available.class);
    return ((Availability.Available) found).fact();
  }

  private void write(byte[] bytes, long offset) throws IOException {
    Files.deleteIfExists(image);
    FileBackings.create(image, SIZE_BYTES);
    try (BackingFixture on =
        new BackingFixture(FileBackings.open(image, new OpenOptions(false, false, 512)))) {
      assertThat(on.write(offset, bytes, 0)).isEqualTo(bytes.length);
      assertThat(on.flush()).isZero();
    }
  }

  private void allocate() throws IOException {
    FileBackings.create(image, SIZE_BYTES);
    int fd = (int) calls.open(image.toString(), LinuxConstants.O_RDWR, 0);
    assertThat(calls.fallocate(fd, 0, 0, SIZE_BYTES)).isZero();
    calls.close(fd);
  }

  @Test
  void aWholeFileIsPinned() throws IOException {
    write(pattern(SIZE_BYTES, 1), 0);
    assertThat(probe("")).isInstanceOf(Availability.Available.class);
    assertThat(probe("fill")).isEqualTo(probe(""));
    PinnedProvider provider = new PinnedProvider(THREADS, calls);
    try (Backing backing = open();
        LoopEngine engine = provider.open(config(provider, ""), environment(backing))) {
      assertThat(engine.inFlight()).isZero();
      assertThat(provider.defaultQueues(config(provider, ""), environment(backing))).isEqualTo(3);
      assertThat(provider.asynchronous(config(provider, ""), environment(backing)).available())
          .isTrue();
    }
    assertThat(provider.pinsFile()).isTrue();
  }

  @Test
  void aSparseFileIsNot() {
    FileBackings.create(image, SIZE_BYTES);
    assertNo(probe(""), "offset 0 of length 4194304 is a hole", "pinned:fill", "take aio");
  }

  @Test
  void aFileWithAHoleIsNot() throws IOException {
    write(pattern(MIB, 2), 0);
    assertNo(probe(""), "offset 1048576 of length 3145728 is a hole");
    write(pattern(MIB, 2), 2 * MIB);
    assertNo(probe(""), "offset 0 of length 2097152 is a hole");
  }

  @Test
  void aFileAllocatedAheadIsNot() throws IOException {
    allocate();
    assertNo(probe(""), "offset 0 of length 4194304 is allocated ahead and never written");
    try (BackingFixture on = new BackingFixture(open())) {
      assertThat(on.write(0, pattern(MIB, 3), 0)).isEqualTo(MIB);
    }
    assertNo(probe(""), "offset 1048576 of length 3145728 is allocated ahead");
  }

  @Test
  void aFileWithTwoNamesIsNot() throws IOException {
    write(pattern(SIZE_BYTES, 4), 0);
    Files.createLink(directory.resolve("other.raw"), image);
    assertNo(probe(""), "2 names (hard links)", "remove the other names");
    assertNo(probe("fill"), "2 names (hard links)");
  }

  @Test
  void aFileThatSharesBlocksIsNotUntilTheyAreItsOwn() throws IOException {
    try (MountedImage xfs = MountedImage.mount(320L * MIB, XFS_MKFS, "-q", "-m", "reflink=1")) {
      image = xfs.directory().resolve("image.raw");
      write(pattern(SIZE_BYTES, 5), 0);
      assertWhole();
      Path clone = xfs.directory().resolve("clone.raw");
      MountedImage.run(List.of("cp", "--reflink=always", image.toString(), clone.toString()));
      assertNo(
          probe(""),
          "offset 0 of length 4194304 is shared with another file",
          "cp --reflink=never");
      assertNo(probe("fill"), "is shared with another file");
      Files.delete(clone);
      assertWhole();
      Files.delete(image);
    }
  }

  @Test
  void aFileThroughThePageCacheOrForReadingOrWithoutAFileIsNot() throws IOException {
    write(pattern(SIZE_BYTES, 6), 0);
    PinnedProvider provider = new PinnedProvider(THREADS, calls);
    try (Backing buffered = FileBackings.open(image, new OpenOptions(false, false, 512))) {
      assertNo(probe(provider, "", buffered), "opened through the page cache", "direct=on");
    }
    try (Backing readOnly = FileBackings.open(image, new OpenOptions(true, true, 512))) {
      assertNo(probe(provider, "", readOnly), "opened for reading only");
    }
  }

  @Test
  void aBlockDeviceIsNot() throws IOException {
    write(pattern(SIZE_BYTES, 7), 0);
    Path file = image;
    String device;
    try {
      device = MountedImage.run(List.of("losetup", "--find", "--show", file.toString())).strip();
    } catch (IOException impossible) {
      assertThat(System.getenv("CI")).as("%s", impossible).isNotEqualTo("true");
      device = abort("no loop device: " + impossible.getMessage());
    }
    try {
      image = Path.of(device);
      assertNo(probe(""), "it is a block device", "take aio");
    } finally {
      image = file;
      MountedImage.run(List.of("losetup", "--detach", device));
    }
  }

  @Test
  void aFileSystemThatDoesNotTellIsRefused() throws IOException {
    write(pattern(SIZE_BYTES, 8), 0);
    SystemCalls silent =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("ioctlAt") ? OptionalLong.of(-Errno.EOPNOTSUPP) : OptionalLong.empty());
    assertNo(
        probe(new PinnedProvider(THREADS, silent), ""),
        "does not tell where a file lies (FIEMAP: EOPNOTSUPP)",
        "ext4 or xfs");
  }

  @ParameterizedTest
  @ValueSource(longs = {0x9123683E, 0x794C7630})
  void aFileSystemThatCopiesOnWriteIsRefused(long type) throws IOException {
    write(pattern(SIZE_BYTES, 9), 0);
    SystemCalls other =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("fileSystemType") ? OptionalLong.of(type) : OptionalLong.empty());
    assertNo(probe(new PinnedProvider(THREADS, other), ""), "writes every block to a new place");
  }

  @Test
  void withoutATransferEngineItSaysWhy() throws IOException {
    write(pattern(SIZE_BYTES, 10), 0);
    Threads missing = new Threads(new Availability.Unavailable("no aio here", "get it"));
    assertNo(probe(new PinnedProvider(missing, calls), ""), "no aio here", "get it");
  }

  @Test
  void fillingMakesAFileWholeAndKeepsItsContent() throws IOException {
    byte[] bytes = pattern(MIB + 4096, 11);
    write(bytes, MIB - 4096);
    assertThat(fact(probe("fill"))).endsWith(", after 3141632 bytes were filled");
    assertNo(probe(""), "is a hole");
    fill(calls);
    assertThat(probe("")).isInstanceOf(Availability.Available.class);
    byte[] expected = new byte[SIZE_BYTES];
    System.arraycopy(bytes, 0, expected, MIB - 4096, bytes.length);
    assertThat(Arrays.equals(Files.readAllBytes(image), expected)).isTrue();
  }

  @Test
  void fillingWritesWhatWasAllocatedAhead() throws IOException {
    allocate();
    fill(calls);
    assertThat(probe("")).isInstanceOf(Availability.Available.class);
    assertThat(Files.readAllBytes(image)).containsOnly(0);
  }

  @Test
  void fillingFillsEveryOneOfManyHoles() throws IOException {
    FileBackings.create(image, SIZE_BYTES);
    byte[] expected = new byte[SIZE_BYTES];
    try (BackingFixture on = new BackingFixture(open())) {
      for (int at = 0; at < SIZE_BYTES; at += 8192) {
        byte[] block = pattern(4096, at);
        System.arraycopy(block, 0, expected, at, block.length);
        assertThat(on.write(at, block, 0)).isEqualTo(4096);
      }
    }
    fill(calls);
    assertThat(probe("")).isInstanceOf(Availability.Available.class);
    assertThat(Arrays.equals(Files.readAllBytes(image), expected)).isTrue();
  }

  @Test
  void fillingIsNotBegunWithoutTheSpaceAndBreaksOffWithAReason() throws IOException {
    try (MountedImage small = MountedImage.mount(24L * MIB, "mkfs.ext4", "-q", "-F")) {
      image = small.directory().resolve("image.raw");
      FileBackings.create(image, 64L * MIB);
      try (BackingFixture on = new BackingFixture(open())) {
        assertThat(on.write(0, pattern(MIB, 12), 0)).isEqualTo(MIB);
      }
      assertNo(
          probe("fill"), "filling takes 66060288 bytes, and its file system has", "free space");
      assertThatThrownBy(() -> fill(calls))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("ENOSPC; its content is as it was, free space and open it again")
          .satisfies(e -> assertThat(((BackingException) e).errno()).isEqualTo(Errno.ENOSPC));
      try (BackingFixture on = new BackingFixture(open())) {
        assertThat(on.read(0, MIB)).isEqualTo(pattern(MIB, 12));
        assertThat(on.read(32L * MIB, MIB)).containsOnly(0);
      }
      Files.delete(image);
    }
  }

  @Test
  void onlyFillIsAnArgument() {
    PinnedProvider provider = new PinnedProvider(THREADS, calls);
    assertThat(config(provider, "").spec()).hasToString("pinned");
    assertThat(config(provider, "fill").spec()).hasToString("pinned:fill");
    assertThatThrownBy(() -> config(provider, "full"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("takes no argument but fill");
  }
}

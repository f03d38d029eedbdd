package io.loopgate.backing.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.block.Errno;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.ScriptedSystemCalls;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.OptionalLong;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each refusal is one line that says what, why, and what to do. */
class FileBackingsTest {
  private static final OpenOptions WRITABLE = new OpenOptions(false, false, 4096);
  private static final OpenOptions READ_ONLY = new OpenOptions(true, false, 4096);
  private static final OpenOptions DIRECT = new OpenOptions(false, true, 512);

  private final Path directory = BackingFixture.directory();
  private final Path image = directory.resolve("a.raw");

  @AfterEach
  void clean() throws IOException {
    try (var paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      ThrowingCallable opening) {
    return assertThatThrownBy(opening)
        .isInstanceOf(BackingException.class)
        .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n").contains(": "));
  }

  /** Lets openings with a flag fail. */
  private static SystemCalls denying(int flag, long result) {
    return ScriptedSystemCalls.with(
        (name, arguments) ->
            name.equals("open") && ((int) arguments[1] & flag) == flag
                ? OptionalLong.of(result)
                : OptionalLong.empty());
  }

  @Test
  void missing() {
    assertRefused(() -> FileBackings.open(image, WRITABLE))
        .hasMessage(
            "image %s does not exist: correct the path, or create it, as in `truncate --size=1G %s`"
                .formatted(image, image));
  }

  @Test
  void directoryAndPipe() throws Exception {
    assertRefused(() -> FileBackings.open(directory, WRITABLE))
        .hasMessageContaining(directory + " is a directory: name an image file");
    Process made = new ProcessBuilder("mkfifo", image.toString()).start();
    assertThat(made.waitFor()).isZero();
    assertRefused(() -> FileBackings.open(image, WRITABLE))
        .hasMessageContaining("is neither a regular file nor a block device");
  }

  @Test
  void empty() throws IOException {
    Files.createFile(image);
    assertRefused(() -> FileBackings.open(image, READ_ONLY))
        .hasMessage(
            "image %s is empty: give it a size, as in `truncate --size=1073741824 %s`"
                .formatted(image, image));
  }

  @Test
  void ragged() throws IOException {
    Path odd = directory.resolve("it's odd.raw");
    Files.write(odd, new byte[10_000]);
    assertRefused(() -> FileBackings.open(odd, WRITABLE))
        .hasMessage(
            "image "
                + odd
                + " is ragged: its size of 10000 bytes is not a multiple of the block size of 4096"
                + " (nearest: 8192 and 12288); grow it with `truncate --size=12288 -- '"
                + directory
                + "/it'\\''s odd.raw'`");
    Files.write(image, new byte[100]);
    assertRefused(() -> FileBackings.open(image, WRITABLE))
        .hasMessageContaining("(nearest: 4096)")
        .hasMessageContaining("truncate --size=4096 " + image);
  }

  @Test
  void unreadable() {
    FileBackings.create(image, 4096);
    SystemCalls denied = denying(0, -Errno.EACCES);
    assertRefused(() -> FileBackings.open(denied, image, READ_ONLY))
        .hasMessageContaining("cannot be read (permission denied, EACCES)")
        .hasMessageContaining("chown or chmod");
    assertRefused(() -> FileBackings.open(denied, image, WRITABLE))
        .hasMessageContaining("cannot be read");
  }

  @Test
  void onlyReadable() {
    FileBackings.create(image, 4096);
    for (int errno : new int[] {Errno.EROFS, Errno.EACCES, Errno.EPERM}) {
      SystemCalls denied = denying(LinuxConstants.O_RDWR, -errno);
      assertRefused(() -> FileBackings.open(denied, image, WRITABLE))
          .hasMessageContaining("can be read but not written")
          .hasMessageContaining("add `readonly` to the volume");
      FileBackings.open(denied, image, READ_ONLY).close();
    }
  }

  @Test
  void directDemandedWhereItIsNotPossible() throws IOException {
    FileBackings.create(image, 1 << 20);
    SystemCalls without = denying(LinuxConstants.O_DIRECT, -Errno.EINVAL);
    assertRefused(() -> FileBackings.open(without, image, DIRECT))
        .hasMessageContaining("direct I/O on " + image + " is not possible")
        .hasMessageContaining("remove `direct=on`");
    SystemCalls inMemory =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("fileSystemType")
                    ? OptionalLong.of(0x0102_1994)
                    : OptionalLong.empty());
    assertRefused(() -> FileBackings.open(inMemory, image, DIRECT))
        .hasMessageContaining("tmpfs keeps files in memory");
    SystemCalls refusing =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("pread") ? OptionalLong.of(-Errno.EINVAL) : OptionalLong.empty());
    assertRefused(() -> FileBackings.open(refusing, image, DIRECT))
        .hasMessageContaining("cannot read directly from " + image + ": EINVAL");
  }

  @Test
  void directDemandedOnAnOddSize() throws IOException {
    Files.write(image, new byte[1000]);
    assertRefused(() -> FileBackings.open(image, new OpenOptions(false, true, 1)))
        .hasMessageContaining("needs a size that is a multiple of")
        .hasMessageContaining("not 1000: remove `direct=on`, or grow it with `truncate --size=");
  }

  @Test
  void aRefusedOpeningLeavesNothingLocked() throws IOException {
    Files.write(image, new byte[1000]);
    assertRefused(() -> FileBackings.open(image, WRITABLE)).hasMessageContaining("ragged");
    FileBackings.open(image, new OpenOptions(false, false, 1000)).close();
  }

  @Test
  void creates() throws IOException {
    FileBackings.create(image, 1L << 40);
    assertThat(image).hasSize(1L << 40);
    assertRefused(() -> FileBackings.create(image, 4096)).hasMessageContaining("EEXIST (it exists");
    assertThat(image).hasSize(1L << 40);
    Path other = directory.resolve("b.raw");
    assertRefused(() -> FileBackings.create(other, Long.MAX_VALUE))
        .hasMessageContaining("EFBIG (larger than");
    assertThat(other).doesNotExist();
    assertRefused(() -> FileBackings.create(other, 0)).hasMessageContaining("at least 1 byte");
    assertRefused(() -> FileBackings.create(directory.resolve("no/b.raw"), 4096))
        .hasMessageContaining("its directory does not exist");
    SystemCalls full =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("fsync") ? OptionalLong.of(-Errno.ENOSPC) : OptionalLong.empty());
    assertRefused(() -> FileBackings.create(full, other, 4096))
        .hasMessageContaining("ENOSPC (no space left");
    assertThat(other).doesNotExist();
  }
}

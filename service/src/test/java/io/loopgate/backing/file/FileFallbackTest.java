package io.loopgate.backing.file;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.LinuxConstants;
import io.loopgate.sys.ScriptedSystemCalls;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens on file systems that know less than the one the tests run on. */
class FileFallbackTest {
  private static final int SIZE_BYTES = 4 << 20;

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final Map<String, Integer> refused = new HashMap<>();

  @BeforeEach
  void create() {
    FileBackings.create(image, SIZE_BYTES);
  }

  @AfterEach
  void delete() throws IOException {
    Files.delete(image);
  }

  private OptionalLong refuse(String what, int errno) {
    refused.merge(what, 1, Integer::sum);
    return OptionalLong.of(-errno);
  }

  /** A file system that knows neither fallocate nor RWF_DSYNC; perhaps no scratch file either. */
  private SystemCalls poor(boolean scratch) {
    return ScriptedSystemCalls.with(
        (name, arguments) -> {
          if (name.equals("fallocate")) {
            boolean punch = ((int) arguments[1] & LinuxConstants.FALLOC_FL_PUNCH_HOLE) != 0;
            return refuse(punch ? "punch" : "zero", Errno.EOPNOTSUPP);
          }
          if (name.equals("pwrite") && ((int) arguments[4] & LinuxConstants.RWF_DSYNC) != 0) {
            return refuse("dsync", Errno.EOPNOTSUPP);
          }
          if (name.equals("open")
              && !scratch
              && ((int) arguments[1] & LinuxConstants.O_TMPFILE) == LinuxConstants.O_TMPFILE) {
            return refuse("scratch", Errno.EOPNOTSUPP);
          }
          if (name.equals("fdatasync")) {
            refused.merge("fdatasync", 1, Integer::sum);
          }
          return OptionalLong.empty();
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutAScratchFileItIsLearntAtFirstUseAndOnce(boolean direct) {
    OpenOptions options = new OpenOptions(false, direct, 4096);
    try (BackingFixture on = new BackingFixture(FileBackings.open(poor(false), image, options))) {
      BackingCapabilities found = on.backing().capabilities();
      assertThat(found.punchHole().available()).isTrue();
      assertThat(found.punchHole().reason()).contains("not tried").contains("EOPNOTSUPP");
      byte[] model = pattern(SIZE_BYTES, 1);
      assertThat(on.write(0, model, 0)).isEqualTo(SIZE_BYTES);
      for (int round = 0; round < 3; round++) {
        assertThat(on.discard(1000, 1_500_000)).isEqualTo(1_500_000);
        assertThat(on.zero(2_000_001, 1_100_000, 0)).isEqualTo(1_100_000);
        assertThat(on.zero(3_900_000, 7, BlockRequest.MAY_UNMAP)).isEqualTo(7);
        assertThat(on.write(0, Arrays.copyOf(model, 4096), BlockRequest.FUA)).isEqualTo(4096);
        Arrays.fill(model, 4096, 1_501_000, (byte) 0);
        Arrays.fill(model, 2_000_001, 3_100_001, (byte) 0);
        Arrays.fill(model, 3_900_000, 3_900_007, (byte) 0);
      }
      byte[] expected = model.clone();
      assertThat(Arrays.equals(on.read(0, SIZE_BYTES), expected)).isTrue();
      assertThat(refused)
          .containsEntry("punch", 1)
          .containsEntry("zero", 1)
          .containsEntry("dsync", 1)
          .containsEntry("fdatasync", 3);
    }
  }

  @Test
  void withAScratchFileItIsKnownAtOpen() {
    OpenOptions options = new OpenOptions(false, false, 4096);
    try (BackingFixture on = new BackingFixture(FileBackings.open(poor(true), image, options))) {
      BackingCapabilities found = on.backing().capabilities();
      assertThat(found.punchHole().available()).isFalse();
      assertThat(found.punchHole().reason()).contains("refuses FALLOC_FL_PUNCH_HOLE: EOPNOTSUPP");
      assertThat(found.zeroRange().available()).isFalse();
      assertThat(found.dsync().available()).isFalse();
      refused.clear();
      assertThat(on.write(0, pattern(8192, 2), BlockRequest.FUA)).isEqualTo(8192);
      assertThat(on.discard(0, 8192)).isEqualTo(8192);
      assertThat(on.read(0, 8192)).containsOnly(0);
      assertThat(refused).containsExactly(Map.entry("fdatasync", 1));
    }
  }

  @Test
  void aFailedFlushAfterADurableWriteFailsTheWrite() {
    SystemCalls calls =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                switch (name) {
                  case "fdatasync" -> OptionalLong.of(-Errno.EIO);
                  case "pwrite" ->
                      ((int) arguments[4] & LinuxConstants.RWF_DSYNC) != 0
                          ? OptionalLong.of(-Errno.EOPNOTSUPP)
                          : OptionalLong.empty();
                  default -> OptionalLong.empty();
                });
    OpenOptions options = new OpenOptions(false, false, 4096);
    try (BackingFixture on = new BackingFixture(FileBackings.open(calls, image, options))) {
      assertThat(on.write(0, pattern(4096, 3), BlockRequest.FUA)).isEqualTo(-Errno.EIO);
      assertThat(on.write(0, pattern(4096, 3), 0)).isEqualTo(4096);
      assertThat(on.flush()).isEqualTo(-Errno.EIO);
    }
  }

  @Test
  void errorsOfSpaceAndDeviceKeepTheirNumber() {
    for (int errno : new int[] {Errno.ENOSPC, Errno.EIO, Errno.EDQUOT}) {
      boolean[] broken = {false};
      SystemCalls calls =
          ScriptedSystemCalls.with(
              (name, arguments) ->
                  broken[0] && (name.equals("pwrite") || name.equals("fallocate"))
                      ? OptionalLong.of(-errno)
                      : OptionalLong.empty());
      OpenOptions options = new OpenOptions(false, false, 4096);
      try (BackingFixture on = new BackingFixture(FileBackings.open(calls, image, options))) {
        broken[0] = true;
        assertThat(on.write(0, pattern(4096, 4), 0)).isEqualTo(-errno);
        assertThat(on.zero(0, 4096, 0)).isEqualTo(-errno);
      }
    }
  }

  @Test
  void anInterruptedStepIsDoneAgainAndAWriteOfNothingIsAnError() {
    int[] left = {2};
    boolean[] nothing = {false};
    SystemCalls calls =
        ScriptedSystemCalls.with(
            (name, arguments) -> {
              boolean transfer = name.equals("pread") || name.equals("pwrite");
              if (transfer && (int) arguments[4] == 0 && left[0] > 0) {
                left[0]--;
                return OptionalLong.of(-Errno.EINTR);
              }
              return nothing[0] && name.equals("pwrite")
                  ? OptionalLong.of(0)
                  : OptionalLong.empty();
            });
    OpenOptions options = new OpenOptions(false, false, 4096);
    try (BackingFixture on = new BackingFixture(FileBackings.open(calls, image, options))) {
      assertThat(on.write(0, pattern(4096, 5), 0)).isEqualTo(4096);
      left[0] = 2;
      assertThat(on.readResult(0, 4096)).isEqualTo(4096);
      left[0] = 1000;
      assertThat(on.readResult(0, 4096)).isEqualTo(-Errno.EINTR);
      left[0] = 0;
      nothing[0] = true;
      assertThat(on.write(0, pattern(4096, 5), 0)).isEqualTo(-Errno.EIO);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileSystemThatSaysNotNowToEveryOverwriteHasNoSuchWrites(boolean direct) {
    assertThat(nowaitWrite(direct, Integer.MAX_VALUE))
        .isEqualTo(Support.no("ext4 answers EAGAIN even to overwrites of written blocks"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFileSystemThatIsBusyForAMomentHasSuchWrites(boolean direct) {
    assertThat(nowaitWrite(direct, 3))
        .isEqualTo(
            Support.yes(
                "ext4 takes RWF_NOWAIT on " + (direct ? "direct" : "buffered") + " writes"));
  }

  /** Opens on a file system whose writes say not now so many times before they do not wait. */
  private Support nowaitWrite(boolean direct, int notNow) {
    int[] left = {notNow};
    SystemCalls busy =
        ScriptedSystemCalls.with(
            (name, arguments) -> {
              if (name.equals("fileSystemType")) {
                return OptionalLong.of(0xEF53);
              }
              if (!name.equals("pwrite") || (int) arguments[4] != LinuxConstants.RWF_NOWAIT) {
                return OptionalLong.empty();
              }
              return OptionalLong.of(left[0]-- > 0 ? -Errno.EAGAIN : (long) arguments[2]);
            });
    try (Backing on = FileBackings.open(busy, image, new OpenOptions(false, direct, 4096))) {
      return on.capabilities().nowaitWrite();
    }
  }

  @Test
  void whereNativeWritesDoNotWaitTheyAreTried() {
    SystemCalls willing =
        ScriptedSystemCalls.with(
            (name, arguments) -> {
              boolean now =
                  name.equals("pwrite") && (int) arguments[4] == LinuxConstants.RWF_NOWAIT;
              return now ? OptionalLong.of((long) arguments[2]) : OptionalLong.empty();
            });
    OpenOptions options = new OpenOptions(false, false, 4096);
    try (BackingFixture on = new BackingFixture(FileBackings.open(willing, image, options))) {
      assertThat(on.backing().capabilities().nowaitWrite().available()).isTrue();
      assertThat(on.tryWrite(0, pattern(4096, 6), 0)).isEqualTo(4096);
      assertThat(on.tryWrite(0, pattern(4096, 6), BlockRequest.FUA))
          .as("a durable write waits")
          .isEqualTo(-Errno.EAGAIN);
    }
  }
}

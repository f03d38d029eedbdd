package io.loopgate.engine.uring;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a process that may not use io_uring the engine says why, and another one takes over. */
class RefusedRingTest {
  /** The same on all machines that have them. */
  private static final int IO_URING_SETUP = 425;

  private static final int IO_URING_ENTER = 426;
  private static final int IO_URING_REGISTER = 427;

  private static final long SECONDS_MAX = 60;

  private final Path image = BackingFixture.directory().resolve("image.raw");

  @BeforeEach
  void create() {
    FileBackings.create(image, 1 << 20);
  }

  @AfterEach
  void delete() throws IOException {
    Files.delete(image);
  }

  private List<String> refuse(int errno, int... calls) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                RefusedRing.class.getName(),
                image.toString(),
                Integer.toString(errno)));
    Arrays.stream(calls).mapToObj(Integer::toString).forEach(command::add);
    Path output = image.resolveSibling("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      List<String> lines = Files.readAllLines(output);
      assertThat(process.exitValue()).as("exit after %s", lines).isZero();
      return lines;
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private static String line(List<String> lines, String start) {
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line " + start + " in " + lines));
  }

  private static void assertAnotherTookOver(List<String> lines) {
    assertThat(line(lines, "auto: "))
        .doesNotStartWith("auto: uring")
        .contains("first that can run")
        .contains("not uring: ");
  }

  @Test
  void theProfileOfAContainerIsNamed() throws Exception {
    List<String> lines = refuse(Errno.EPERM, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER);
    assertThat(line(lines, "probe: "))
        .contains("Unavailable")
        .contains("seccomp profile does not let io_uring through")
        .contains("a seccomp filter is in force")
        .contains("take engine aio, which needs no ring");
    assertAnotherTookOver(lines);
  }

  @Test
  void aKernelWithoutItIsNamed() throws Exception {
    List<String> lines = refuse(Errno.ENOSYS, IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER);
    assertThat(line(lines, "probe: "))
        .contains("Unavailable")
        .contains("this kernel has no io_uring")
        .contains("ENOSYS");
    assertAnotherTookOver(lines);
  }

  @Test
  void lackOfMemoryIsNamed() throws Exception {
    List<String> lines = refuse(Errno.ENOMEM, IO_URING_SETUP);
    assertThat(line(lines, "probe: "))
        .contains("Unavailable")
        .contains("no memory for a ring")
        .contains("ulimit -l");
    assertAnotherTookOver(lines);
  }

  @Test
  void aRingThatCannotBeEnteredIsFoundOut() throws Exception {
    List<String> lines = refuse(Errno.EPERM, IO_URING_ENTER);
    assertThat(line(lines, "probe: ")).contains("Unavailable").contains("io_uring_enter");
    assertAnotherTookOver(lines);
  }

  @Test
  void aRingThatCannotBeRegisteredIsFoundOut() throws Exception {
    List<String> lines = refuse(Errno.EPERM, IO_URING_REGISTER);
    assertThat(line(lines, "probe: ")).contains("Unavailable");
    assertAnotherTookOver(lines);
  }
}

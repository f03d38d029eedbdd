package io.loopgate.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Rw;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FioCommandTest {
  private static final Phases PHASES = new Phases(Duration.ofMillis(500), Duration.ofSeconds(3));

  private static List<String> command(Access access) {
    return FioCommand.of("libaio", Path.of("/x/a.img"), 1_000_000, access, PHASES);
  }

  @Test
  void theShapeIsTheSame() {
    assertThat(command(Access.of(Rw.RW, 4096, 16, 12, true, Cache.COLD)))
        .contains(
            "--filename=/x/a.img",
            "--ioengine=libaio",
            "--rw=rw",
            "--bs=4096",
            "--iodepth=16",
            "--numjobs=12",
            "--direct=1",
            "--size=1000000",
            "--runtime=3000ms",
            "--ramp_time=500ms",
            "--time_based",
            "--norandommap",
            "--randrepeat=0",
            "--group_reporting",
            "--allow_file_create=0");
  }

  @Test
  void aHotCacheIsLeftAlone() {
    assertThat(command(Access.of(Rw.RANDREAD, 4096, 1, 1, false, Cache.HOT)))
        .contains("--direct=0", "--invalidate=0");
    assertThat(command(Access.of(Rw.RANDREAD, 4096, 1, 1, false, Cache.COLD)))
        .contains("--invalidate=1");
  }

  @Test
  void partsApartAreOffsetsThatGrow() {
    assertThat(command(Access.of(Rw.READ, 4096, 1, 4, true, Cache.COLD).apart()))
        .contains("--size=249856", "--offset_increment=249856");
  }

  @Test
  void lengthsThatVaryAreARange() {
    assertThat(command(new Access(Rw.RANDREAD, 4096, 131_072, 1, 1, false, Cache.HOT, false)))
        .contains("--bsrange=4096-131072")
        .noneMatch(argument -> argument.startsWith("--bs="));
  }

  @Test
  void noRampIsNoArgument() {
    assertThat(
            FioCommand.of(
                "psync",
                Path.of("a"),
                4096,
                Access.of(Rw.READ, 4096, 1, 1, false, Cache.HOT),
                new Phases(Duration.ZERO, Duration.ofSeconds(1))))
        .noneMatch(argument -> argument.startsWith("--ramp_time"));
  }
}

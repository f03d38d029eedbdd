package io.loopgate.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.loopgate.bench.stats.CpuUse;
import io.loopgate.bench.stats.Measurement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Reads what fio 3.33 printed for two jobs of rw=rw that ran for a second. */
class FioJsonTest {
  private static String sample() throws IOException {
    try (InputStream stream = FioJsonTest.class.getResourceAsStream("fio.json")) {
      assertThat(stream).isNotNull();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void countsAreThoseOfBothDirections() throws IOException {
    Measurement measured = FioJson.parse(sample());
    assertThat(measured.seconds()).isEqualTo(1.001);
    assertThat(measured.reads()).isEqualTo(17_616);
    assertThat(measured.writes()).isEqualTo(17_707);
    assertThat(measured.readBytes()).isEqualTo(72_155_136);
    assertThat(measured.writtenBytes()).isEqualTo(72_527_872);
  }

  @Test
  void percentilesAreOfAllCommandsTogether() throws IOException {
    Measurement measured = FioJson.parse(sample());
    // Between the reads' median of 52.5 us and the writes' of 46.8 us.
    assertThat(measured.latency().p50Micros()).isBetween(46.8, 52.5);
    assertThat(measured.latency().p99Micros()).isBetween(112.0, 117.0);
    assertThat(measured.latency().maxMicros()).isEqualTo(8379.23);
  }

  @Test
  void processorTimeIsThatOfTheJobs() throws IOException {
    CpuUse cpu = FioJson.parse(sample()).cpu();
    assertThat(cpu.userSeconds()).isCloseTo(0.034, within(1e-9));
    assertThat(cpu.systemSeconds()).isCloseTo(0.545, within(1e-9));
    assertThat(cpu.scope()).isEqualTo(CpuUse.Scope.JOBS);
  }

  @Test
  void anErrorOfAJobIsAnError() throws IOException {
    String failed = sample().replace("\"error\": 0", "\"error\": 28");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FioJson.parse(failed))
        .withMessage("fio ended with error 28");
  }

  @Test
  void whatIsNoReportIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> FioJson.parse("fio: no such engine"));
    assertThatIllegalArgumentException().isThrownBy(() -> FioJson.parse("{\"jobs\" : []}"));
    assertThatIllegalArgumentException().isThrownBy(() -> FioJson.parse("{\"jobs\" : ["));
  }
}

package io.loopgate.bench.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals, sent to a real process. */
class InterruptionTest {
  private Path base = Path.of("");

  @BeforeEach
  void makeBase() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "interruptions"));
    base = Files.createTempDirectory(parent, "t").toAbsolutePath();
  }

  private Process start() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "engines",
            "--engines=single,workers:2",
            "--shape=hot1",
            "--size=4MiB",
            "--time=100ms",
            "--ramp=0s",
            "--warmup=0s",
            // More than anybody would wait for.
            "--rounds=1000",
            "--dir=data",
            "--json=out.json",
            "--html=out.html")
        .directory(base.toFile())
        .start();
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void aSignalEndsTheRunAndKeepsWhatWasMeasured(String signal) throws Exception {
    Process process = start();
    String out;
    try (BufferedReader progress = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = progress.readLine();
          line == null || !line.contains("round 3/1000 single");
          line = progress.readLine()) {
        assertThat(line).as("progress before the process ended").isNotNull();
      }
      int sent =
          new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
      assertThat(sent).isZero();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(BenchCommand.FAILURE);
      out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
    assertThat(out).contains("hot1: randread 4KiB", "interrupted: ");
    JsonNode report = new ObjectMapper().readTree(Files.readString(base.resolve("out.json")));
    assertThat(report.path("interrupted").asBoolean()).isTrue();
    JsonNode rows = report.path("comparisons").path(0).path("contenders");
    assertThat(rows).hasSize(2);
    assertThat(List.of(rows.path(0), rows.path(1)))
        .allSatisfy(row -> assertThat(row.path("rounds").size()).isBetween(2, 999));
    assertThat(Files.readString(base.resolve("out.html"))).contains(">interrupted: ");
    assertThat(base.resolve("data")).doesNotExist();
  }
}

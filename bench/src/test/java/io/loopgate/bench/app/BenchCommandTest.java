package io.loopgate.bench.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loopgate.bench.control.Stop;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path base = Path.of("");

  @BeforeEach
  void makeBase() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "commands"));
    base = Files.createTempDirectory(parent, "t").toAbsolutePath();
  }

  private int run(String... args) {
    return new BenchCommand(new Stop(), new PrintWriter(out, true), new PrintWriter(err, true))
        .run(args);
  }

  /** Long enough to see that it runs, and no longer. */
  private int runShortly(String command, String... args) {
    List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
    all.addAll(Arrays.asList(args));
    all.addAll(
        List.of(
            "--rounds=2",
            "--time=100ms",
            "--ramp=10ms",
            "--warmup=50ms",
            "--size=4MiB",
            "--dir=" + base.resolve("data"),
            "--json=" + base.resolve("out.json"),
            "--html=" + base.resolve("out.html")));
    return run(all.toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(Files.readString(base.resolve("out.json")));
  }

  @Test
  void enginesAreComparedAndAnUnknownOneIsARow() throws IOException {
    int code = runShortly("engines", "--engines=single,workers:2,no-such", "--shape=hot1,psync12");
    assertThat(err.toString()).contains("hot1 round 2/2 workers:2");
    assertThat(code).isEqualTo(BenchCommand.SUCCESS);
    JsonNode rows = json().path("comparisons").path(0).path("contenders");
    assertThat(rows.path(0).path("state").asText()).isEqualTo("measured");
    assertThat(rows.path(1).path("rounds")).hasSize(2);
    assertThat(rows.path(1).path("median").path("iops").asDouble()).isPositive();
    assertThat(rows.path(1).path("ratiosToBaseline").path("iops").has("median")).isTrue();
    assertThat(rows.path(2).path("state").asText()).isEqualTo("unavailable");
    assertThat(rows.path(2).path("reason").asText()).contains("there is no engine \"no-such\"");
    assertThat(json().path("comparisons")).hasSize(2);
    assertThat(out.toString()).contains("hot1: randread 4KiB", "psync12: rw 4KiB");
    assertThat(base.resolve("out.html")).isNotEmptyFile();
    assertThat(base.resolve("data")).doesNotExist();
  }

  @Test
  void aShapeCanBeDescribedByItsParts() throws IOException {
    int code =
        runShortly(
            "engines",
            "--engines=single/nowait=off,inline/loops=1/transport=nio",
            "--rw=randrw",
            "--bs=8KiB",
            "--iodepth=3",
            "--numjobs=2",
            "--cache=cold",
            "--baseline=inline/loops=1/transport=nio");
    assertThat(code).isEqualTo(BenchCommand.SUCCESS);
    JsonNode comparison = json().path("comparisons").path(0);
    assertThat(comparison.path("workload").path("text").asText())
        .isEqualTo("randrw 8KiB, 2 jobs x depth 3, buffered cold, written file of 4MiB");
    assertThat(comparison.path("contenders").path(1).path("ratiosToBaseline").path("iops"))
        .allSatisfy(ratio -> assertThat(ratio.asDouble()).isEqualTo(1));
    JsonNode round = comparison.path("contenders").path(0).path("rounds").path(0);
    assertThat(round.path("reads").asLong()).isPositive();
    assertThat(round.path("writes").asLong()).isPositive();
    assertThat(round.path("readBytes").asLong()).isEqualTo(round.path("reads").asLong() * 8192);
  }

  @Test
  void aFileThatDoesNotFitFailsAndExitsSo() {
    int code =
        run("engines", "--engines=single", "--size=1024PiB", "--dir=" + base.resolve("data"));
    assertThat(code).isEqualTo(BenchCommand.FAILURE);
    assertThat(out.toString()).contains("failed: no room for 1024PiB");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "engins",
        "engines --no-such",
        "engines --shape=no-such",
        "engines --rw=up",
        "engines --bs=4",
        "engines --rounds=0",
        "engines --time=3",
        "engines --engines=single,single",
        "engines --engines=fio:mmap",
        "engines --baseline=aio --engines=single",
        "engines --json=/no/such/folder/x.json",
        "engines --direct=maybe",
        "engines --cpus=4096",
        "peers",
        "seeds --only=no-such",
        "http",
        "http ftp://h/x",
        "http http://h/x --bs=4"
      })
  void whatCannotBeUsedIsRefusedInOneLine(String line) {
    String[] args = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertThat(run(args)).isEqualTo(BenchCommand.USAGE);
    assertThat(err.toString().lines()).singleElement().asString().startsWith("loopgate bench: ");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "engines --help",
        "seeds --help",
        "http --help",
        "peers engines -h",
        "peers http --help",
        "help seeds"
      })
  void everyCommandHasHelp(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(BenchCommand.SUCCESS);
    assertThat(out.toString()).contains("Usage: ");
    assertThat(err.toString()).isEmpty();
  }
}

package io.loopgate.bench.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.loopgate.bench.control.Stop;
import io.loopgate.bench.machine.Processors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers of this build and of others, shortly. */
class PeersHttpCommandTest {
  private static final String LOOPGATE = "--loopgate=" + String.join(" ", TestServer.command());

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path base = Path.of("");

  @BeforeEach
  void makeBase() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "peers"));
    base = Files.createTempDirectory(parent, "t").toAbsolutePath();
  }

  private List<String> shortly(String... args) {
    List<String> all = new ArrayList<>(List.of("peers", "http", "--no-pin"));
    all.addAll(Arrays.asList(args));
    all.addAll(
        List.of(
            "--rounds=2",
            "--time=200ms",
            "--ramp=20ms",
            "--warmup=500ms",
            "--size=4MiB",
            "--dir=" + base.resolve("data"),
            "--json=" + base.resolve("out.json"),
            "--html=" + base.resolve("out.html")));
    return all;
  }

  private int run(String... args) {
    return new BenchCommand(new Stop(), new PrintWriter(out, true), new PrintWriter(err, true))
        .run(shortly(args).toArray(String[]::new));
  }

  private JsonNode contenders() throws IOException {
    JsonNode report = new ObjectMapper().readTree(Files.readString(base.resolve("out.json")));
    return report.path("comparisons").path(0).path("contenders");
  }

  private static void requireInstalled(String... programs) {
    for (String program : programs) {
      boolean found =
          Stream.of("/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin")
              .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
      if (!found && "true".equals(System.getenv("CI"))) {
        throw new AssertionError(program + " is not installed");
      }
      assumeTrue(found, program + " is not installed");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "get4k-16,'nginx,nginx/sendfile=off/aio=threads,loopgate,loopgate/protocol=h2','nginx'",
    "get4k-cold-direct,'fio:io_uring,nginx/aio=threads/sendfile=off,loopgate','nginx,fio'",
    "getall,'nginx,loopgate','nginx'",
    "put4k-durable,'fdatasync:1,nbdkit,loopgate','nbdkit,fio'",
    "queue-write16,'nbdkit,qemu-nbd/cache=none,loopgate/engine=single','nbdkit,qemu-nbd,fio'"
  })
  void serversAreComparedOverOneFile(String shape, String list, String programs)
      throws IOException {
    requireInstalled(programs.split(",", -1));
    int code = run("--shape=" + shape, "--contenders=" + list, LOOPGATE);
    assertThat(code).as("%s%s", out, err).isEqualTo(BenchCommand.SUCCESS);
    assertThat(contenders()).hasSize(list.split(",", -1).length);
    for (JsonNode row : contenders()) {
      assertThat(row.path("state").asText()).as("%s", row).isEqualTo("measured");
      assertThat(row.path("rounds")).hasSize(2);
      assertThat(row.path("median").path("iops").asDouble()).isPositive();
      assertThat(row.path("ratiosToBaseline").path("iops").has("median")).isTrue();
    }
    assertThat(out.toString()).contains("requests/s", "RSS MiB", "client %", "x rate");
    assertThat(base.resolve("out.html")).isNotEmptyFile();
    assertThat(base.resolve("data")).doesNotExist();
  }

  @Test
  void theRateIsAShareOfWhatNginxAnswers() throws IOException {
    requireInstalled("nginx");
    assertThat(run("--shape=get4k-rate", "--contenders=nginx")).isEqualTo(BenchCommand.SUCCESS);
    JsonNode report = new ObjectMapper().readTree(Files.readString(base.resolve("out.json")));
    double peak = report.at("/comparisons/0/contenders/0/median/iops").asDouble();
    double rate = report.at("/comparisons/1/workload/http/ratePerSecond").asDouble();
    assertThat(rate).isBetween(0.69 * peak, 0.71 * peak);
  }

  @Test
  void wrkMayBeTheClient() throws IOException {
    requireInstalled("nginx", "wrk");
    int code = run("--shape=get4k-16", "--contenders=nginx", "--client=wrk");
    assertThat(code).as("%s%s", out, err).isEqualTo(BenchCommand.SUCCESS);
    assertThat(contenders().path(0).path("how").asText()).endsWith("loaded by wrk");
  }

  @Test
  void aServerThatDoesNotStartFailsAndTheOthersGoOn() throws IOException {
    requireInstalled("nginx");
    int code = run("--shape=get4k-1", "--contenders=loopgate,nginx", "--loopgate=sh -c exit+7");
    assertThat(code).isEqualTo(BenchCommand.FAILURE);
    assertThat(contenders().path(0).path("state").asText()).isEqualTo("failed");
    assertThat(contenders().path(0).path("reason").asText()).contains("loopgate ended with code");
    assertThat(contenders().path(1).path("state").asText()).isEqualTo("measured");
  }

  @Test
  void whatAServerCannotDoIsARowWithTheReason() throws IOException {
    requireInstalled("nginx");
    assertThat(run("--shape=put4k-durable", "--contenders=nginx")).isEqualTo(BenchCommand.SUCCESS);
    assertThat(contenders().path(0).path("reason").asText()).isEqualTo("nginx only reads");
  }

  @Test
  void thisProcessGoesBackToItsProcessors() {
    requireInstalled("nginx");
    String before = Processors.allowed();
    run("--shape=get4k-1", "--contenders=nginx", "--pin");
    assertThat(Processors.allowed()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--shape=no-such",
        "--contenders=apache",
        "--contenders=nginx,nginx",
        "--baseline=nbdkit",
        "--client=ab",
        "--rounds=0"
      })
  void whatCannotBeUsedIsRefusedInOneLine(String option) {
    BenchCommand command =
        new BenchCommand(new Stop(), new PrintWriter(out, true), new PrintWriter(err, true));
    assertThat(command.run("peers", "http", "--no-pin", option)).isEqualTo(BenchCommand.USAGE);
    assertThat(err.toString().lines()).singleElement().asString().startsWith("loopgate bench: ");
  }

  /** A terminal sends its signals to a whole group, a program to one process. */
  @ParameterizedTest
  @CsvSource({"INT,-", "INT,''", "TERM,''"})
  void aSignalEndsTheServersToo(String signal, String group) throws Exception {
    requireInstalled("nginx", "setsid");
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(TestServer.command());
    command.set(command.size() - 1, Main.class.getName());
    command.addAll(shortly("--shape=get4k-1", "--contenders=nginx,loopgate", LOOPGATE));
    command.set(command.indexOf("--rounds=2"), "--rounds=1000");
    Process process = new ProcessBuilder(command).directory(base.toFile()).start();
    List<ProcessHandle> servers;
    try (BufferedReader progress = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = progress.readLine();
          line == null || !line.contains("round 2/1000 loopgate");
          line = progress.readLine()) {
        assertThat(line).as("progress before the process ended").isNotNull();
      }
      servers = process.descendants().toList();
      assertThat(servers).hasSizeGreaterThan(1);
      int sent =
          new ProcessBuilder("kill", "-" + signal, "--", group + process.pid()).start().waitFor();
      assertThat(sent).isZero();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(BenchCommand.FAILURE);
    assertThat(servers).noneMatch(ProcessHandle::isAlive);
    assertThat(Files.readString(base.resolve("out.json")))
        .contains("\"interrupted\" : true")
        .doesNotContain("\"failed\"");
    assertThat(base.resolve("data")).doesNotExist();
  }
}

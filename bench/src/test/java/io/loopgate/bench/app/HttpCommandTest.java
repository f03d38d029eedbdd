package io.loopgate.bench.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.loopgate.bench.control.Stop;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The load generator against the server, and against one that is wrong. */
class HttpCommandTest {
  private static Path base = Path.of("");
  private static TestServer server;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws IOException {
    Path parent = Files.createDirectories(Path.of("target", "http"));
    base = Files.createTempDirectory(parent, "t").toAbsolutePath();
    server = TestServer.start(base, "1MiB");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private int run(String url, String... args) {
    List<String> all = new ArrayList<>(List.of("http", url));
    all.addAll(Arrays.asList(args));
    all.addAll(
        List.of(
            "--time=300ms",
            "--warmup=100ms",
            "--ramp=0s",
            "--json=" + base.resolve("o.json"),
            "--html=" + base.resolve("o.html")));
    return new BenchCommand(new Stop(), new PrintWriter(out, true), new PrintWriter(err, true))
        .run(all.toArray(String[]::new));
  }

  private static JsonNode round() throws IOException {
    return new ObjectMapper()
        .readTree(Files.readString(base.resolve("o.json")))
        .path("comparisons")
        .path(0)
        .path("contenders")
        .path(0)
        .path("rounds")
        .path(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--protocol=h1 --connections=8",
        "--protocol=h1 --connections=4 --flush=writeback --bs=64KiB --size=512KiB",
        "--protocol=h1 --connections=8 --rate=500",
        "--protocol=h2 --connections=2 --depth=8",
        "--protocol=h2 --connections=2 --depth=4 --bs=128KiB",
        "--protocol=queue --connections=2 --depth=8",
        "--protocol=queue --connections=1 --depth=4 --flush=writeback --mix=20"
      })
  void whatIsReadIsWhatWasAcknowledged(String line) throws IOException {
    List<String> args = new ArrayList<>(List.of(line.split(" ", -1)));
    args.addAll(List.of("--rw=randrw", "--verify"));
    int code = run(server.url(), args.toArray(String[]::new));
    assertThat(code).as("%s%s", out, err).isEqualTo(BenchCommand.SUCCESS);
    assertThat(out.toString()).contains("every block is what was acknowledged");
    assertThat(round().path("reads").asLong()).isPositive();
    assertThat(round().path("writes").asLong()).isPositive();
    assertThat(round().has("userMicrosPerCommand")).as("nobody can see it").isFalse();
    assertThat(round().path("p999Micros").asDouble()).isPositive();
    assertThat(base.resolve("o.html")).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rw=read --bs=64KiB",
        "--rw=write --bs=64KiB --flush=writeback",
        "--whole --connections=2",
        "--whole --connections=2 --protocol=h2",
        "--rw=rw --mix=90 --protocol=queue --depth=4"
      })
  void everyPatternIsAnsweredWithoutAnError(String line) throws IOException {
    int code = run(server.url(), line.split(" ", -1));
    assertThat(code).as("%s%s", out, err).isEqualTo(BenchCommand.SUCCESS);
    assertThat(round().path("iops").asDouble()).isPositive();
  }

  @Test
  void aSignalEndsALongRunThatTellsHowItGoesAndShowsWhatItHad() throws Exception {
    List<String> command = new ArrayList<>(TestServer.command());
    command.set(command.size() - 1, Main.class.getName());
    command.addAll(List.of("http", server.url(), "--time=1h", "--warmup=0s"));
    Process process = new ProcessBuilder(command).directory(base.toFile()).start();
    String shown;
    try (BufferedReader progress = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = progress.readLine();
          line == null || !line.contains(" requests/s, p99 so far ");
          line = progress.readLine()) {
        assertThat(line).as("progress before the process ended").isNotNull();
      }
      assertThat(new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor()).isZero();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(BenchCommand.FAILURE);
    assertThat(shown).contains("requests/s", "interrupted: ").doesNotContain("failed");
    assertThat(shown.lines().toList().get(2)).matches("127\\.0\\.0\\.1:\\d+ +[1-9]\\d+ .*");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--protocol=h1 --connections=4",
        "--protocol=h2 --connections=1 --depth=4",
        "--protocol=queue --connections=1 --depth=4"
      })
  void bytesThatChangeBehindTheServerAreFound(String line) throws Exception {
    List<String> args = new ArrayList<>(List.of(line.split(" ", -1)));
    args.addAll(List.of("--rw=randread", "--verify"));
    byte[] noise = new byte[1 << 20];
    new Random(5).nextBytes(noise);
    AtomicBoolean over = new AtomicBoolean();
    Thread spoiler =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    spoil(noise);
                  }
                });
    int code;
    try {
      code = run(server.url(), args.toArray(String[]::new));
    } finally {
      over.set(true);
      spoiler.join();
    }
    assertThat(code).as("%s%s", out, err).isEqualTo(BenchCommand.FAILURE);
    assertThat(out.toString()).doesNotContain("every block is what was acknowledged");
    assertThat(out.toString() + err).contains(server.url());
  }

  private static void spoil(byte[] noise) {
    try (FileChannel image = FileChannel.open(base.resolve("v.img"), StandardOpenOption.WRITE)) {
      image.write(ByteBuffer.wrap(noise), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void anAnswerThatIsWrongIsAnErrorOfTheRun() throws IOException {
    HttpServer wrong =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    wrong.createContext(
        "/",
        exchange -> {
          boolean head = exchange.getRequestMethod().equals("HEAD");
          if (head) {
            exchange.getResponseHeaders().set("Content-Length", "1048576");
          }
          exchange.sendResponseHeaders(head ? 200 : 507, -1);
          exchange.close();
        });
    wrong.start();
    try {
      String url = "http://127.0.0.1:" + wrong.getAddress().getPort() + "/a.img";
      assertThat(run(url, "--connections=2")).isEqualTo(BenchCommand.FAILURE);
      assertThat(out.toString()).contains("errors, the first: GET " + url + " bytes ");
      assertThat(err.toString()).contains("status 507, not 206");
    } finally {
      wrong.stop(0);
    }
  }

  @Test
  void aServerThatIsNotThereIsAFailureInOneLine() {
    assertThat(run("http://127.0.0.1:1/a.img")).isEqualTo(BenchCommand.FAILURE);
    assertThat(err.toString().lines()).singleElement().asString().contains("cannot ask");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--depth=2",
        "--whole --verify",
        "--size=2MiB",
        "--protocol=h3",
        "--flush=maybe",
        "--mix=101",
        "--rate=-1",
        "--loops=0"
      })
  void whatCannotBeUsedIsRefusedOrSaid(String line) {
    int code = run(server.url(), line.split(" ", -1));
    assertThat(code).as("%s%s", out, err).isNotEqualTo(BenchCommand.SUCCESS);
  }
}

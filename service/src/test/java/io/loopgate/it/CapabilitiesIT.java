package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngineProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a volume says of its fast path is what the kernel does, and what is counted. */
class CapabilitiesIT {
  private static final long SIZE_BYTES = 4L * Images.MIB;
  private static final int COMMANDS = 64;
  private static final int BLOCK = 4096;

  /** Engines that submit commands of direct volumes asynchronously. */
  private static final Set<String> ASYNCHRONOUS = Set.of("aio", "uring", "pinned");

  /**
   * Of these nobody can tell how a command fared: io_uring does not say, and pinned never tries.
   */
  private static final Set<String> UNCOUNTED = Set.of("uring", "pinned");

  private static final List<String> OUTCOMES =
      List.of("hit", "short", "again", "unsupported", "skipped", "demoted");

  @TempDir private Path folder;

  @Test
  void onExt4() throws Exception {
    LoopMount.require("ext4");
    try (LoopMount disk = LoopMount.make(folder, "ext4", 96L * Images.MIB, "-b", "4096")) {
      checkFiles(disk.directory());
    }
  }

  @Test
  void onXfs() throws Exception {
    LoopMount.require("xfs");
    try (LoopMount disk = LoopMount.make(folder, "xfs", 320L * Images.MIB)) {
      checkFiles(disk.directory());
    }
  }

  @Test
  void onABlockDevice() throws Exception {
    LoopMount.require();
    Path image = folder.resolve("device.raw");
    NowaitTrial.fill(image, SIZE_BYTES);
    try (LoopDisk disk = LoopDisk.attach(image)) {
      NowaitTrial buffered = NowaitTrial.of(disk.device(), false);
      check(disk.device(), false, buffered);
      NowaitTrial.fill(disk.device(), SIZE_BYTES);
      NowaitTrial direct = NowaitTrial.of(disk.device(), true);
      check(disk.device(), true, direct);
    }
  }

  private void checkFiles(Path directory) throws Exception {
    Path trial = directory.resolve("trial.raw");
    for (boolean direct : new boolean[] {false, true}) {
      NowaitTrial.fill(trial, SIZE_BYTES);
      NowaitTrial found = NowaitTrial.of(trial, direct);
      Files.delete(trial);
      Path image = directory.resolve(direct ? "direct.raw" : "buffered.raw");
      NowaitTrial.fill(image, SIZE_BYTES);
      check(image, direct, found);
    }
  }

  private void check(Path backing, boolean direct, NowaitTrial trial) throws Exception {
    try (ServerProcess server =
            ServerProcess.in(folder)
                .volume("v=" + backing + ",blockSize=4096,direct=" + (direct ? "on" : "off"))
                .start();
        VolumeClient client = server.client("v")) {
      for (String engine : engines()) {
        Answer answer = client.json("PATCH", "/v1/volumes/v", "{\"engine\":\"" + engine + "\"}");
        if (answer.status() == 400) {
          assertThat(answer.json().path("detail").asText())
              .as("%s direct=%s", backing, direct)
              .contains("engine " + engine + " is not available: ");
          continue;
        }
        boolean possible = !direct || ASYNCHRONOUS.contains(engine);
        NowaitTrial expected = possible ? trial : new NowaitTrial(false, false);
        JsonNode shown = answer.expect(200).json().path("engine");
        String what = backing + " direct=" + direct + " " + engine + ": " + shown;
        assertShown(client, what, engine, expected, shown);
        boolean counted = !direct || !UNCOUNTED.contains(engine);
        assertCounted(server, client, what, counted ? expected : new NowaitTrial(false, false));
      }
    }
  }

  /** One engine of threads, and each of this build that submits asynchronously. */
  private static List<String> engines() {
    Set<String> known =
        new EngineSelector()
            .providers().stream().map(LoopEngineProvider::name).collect(Collectors.toSet());
    return List.of("workers:2", "aio", "uring", "pinned").stream()
        .filter(engine -> engine.startsWith("workers") || known.contains(engine))
        .toList();
  }

  private static void assertShown(
      VolumeClient client, String what, String engine, NowaitTrial expected, JsonNode shown)
      throws IOException {
    assertThat(shown.path("name").asText()).as(what).isEqualTo(engine);
    JsonNode fastPath = shown.path("fastPath");
    assertThat(fastPath.path("read").asText()).as(what).isEqualTo(word(expected.read()));
    assertThat(fastPath.path("write").asText()).as(what).isEqualTo(word(expected.write()));
    assertThat(fastPath.path("reason").asText()).as(what).isNotBlank();
    JsonNode options = client.wire().exchange("OPTIONS", client.data()).expect(200).json();
    assertThat(options.path("engine").asText()).as(what).isEqualTo(engine);
    assertThat(options.path("fastPath")).as(what).isEqualTo(fastPath);
    JsonNode document = client.get("", List.of()).expect(200).json();
    assertThat(document.path("engine")).as(what).isEqualTo(shown);
  }

  private static String word(boolean available) {
    return available ? "native" : "unsupported";
  }

  private static void assertCounted(
      ServerProcess server, VolumeClient client, String what, NowaitTrial expected)
      throws IOException {
    client.read(0, (int) SIZE_BYTES);
    Metrics before = Metrics.scrape(server);
    for (int i = 0; i < COMMANDS; i++) {
      client.read((long) i * BLOCK, BLOCK);
    }
    Metrics between = Metrics.scrape(server);
    byte[] bytes = Images.noise(1, BLOCK);
    for (int i = 0; i < COMMANDS; i++) {
      String target = client.data() + "?flush=n&offset=" + (long) i * BLOCK;
      client.wire().exchange("PUT", target, List.of(), bytes).expect(200);
    }
    Metrics after = Metrics.scrape(server);
    assertHits(what, expected.read(), between, before, "read");
    assertHits(what, expected.write(), after, between, "write");
  }

  private static void assertHits(
      String what, boolean expected, Metrics after, Metrics before, String op) {
    StringBuilder counted = new StringBuilder();
    for (String outcome : OUTCOMES) {
      long more = after.fastPath("v", op, outcome) - before.fastPath("v", op, outcome);
      counted.append(outcome).append('=').append(more).append(' ');
    }
    long hits = after.fastPath("v", op, "hit") - before.fastPath("v", op, "hit");
    if (expected) {
      assertThat(hits).as("%s; %s: %s", what, op, counted).isPositive();
    } else {
      assertThat(hits).as("%s; %s: %s", what, op, counted).isZero();
    }
  }
}

package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.EngineSpec;
import io.loopgate.engine.LoopEngineProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another engine takes over under load, again and again, and no client notices. */
class EngineSwitchIT {
  private static final int BLOCKS = 512;
  private static final int WRITERS = 8;
  private static final int ROUNDS = 3;
  private static final int ANSWERS_PER_ENGINE = 60;

  /** All that do not need a quiet volume, as {@code pinned} does. */
  private static final List<String> ENGINES =
      List.of(
          "single",
          "inline",
          "workers:3",
          "workqueue:8",
          "virtual:8",
          "aio",
          "uring",
          "polled:naive",
          "polled:batch",
          "polled:hybrid",
          "auto");

  private static final List<String> OPTIONS =
      List.of(
          "\"queues\":0,\"depth\":128,\"merge\":true,\"punt\":false",
          "\"queues\":1,\"depth\":4,\"merge\":true,\"punt\":false",
          "\"queues\":2,\"depth\":64,\"merge\":false,\"punt\":true",
          "\"queues\":2,\"depth\":1,\"merge\":true,\"punt\":false");

  @TempDir private Path folder;

  @Test
  void noRequestFailsAndNoWriteIsLostOnAnyOfThem() throws Exception {
    Path buffered = image("buffered.raw");
    Path direct = image("direct.raw");
    var bufferedBlocks = new VersionedBlocks(BLOCKS);
    var directBlocks = new VersionedBlocks(BLOCKS);
    Set<String> ran = new LinkedHashSet<>();
    try (ServerProcess server =
        ServerProcess.in(folder)
            .volume("buffered=" + buffered + ",blockSize=4096")
            .volume("direct=" + direct + ",blockSize=4096,direct=on")
            .flags("--event-loops", "3", "--unsafe-inline=on")
            .start()) {
      try (var onBuffered = new VersionedLoad(server, "buffered", bufferedBlocks, WRITERS);
          var onDirect = new VersionedLoad(server, "direct", directBlocks, WRITERS)) {
        for (int round = 0; round < ROUNDS; round++) {
          switchThroughAll(server, "buffered", onBuffered, round, ran);
          switchThroughAll(server, "direct", onDirect, round, ran);
        }
      }
      verify(server, "buffered", bufferedBlocks);
      verify(server, "direct", directBlocks);
    }
    bufferedBlocks.verify(Files.readAllBytes(buffered));
    directBlocks.verify(Files.readAllBytes(direct));
    System.out.println("EngineSwitchIT ran " + ran);
    assertThat(ran).containsAll(ofThisBuild());
  }

  /** Pinning wants the volume for itself: who comes meanwhile is told to come back, and no more. */
  @Test
  void aFileIsPinnedAndLetGoUnderLoad() throws Exception {
    Path image = image("pinned.raw");
    var blocks = new VersionedBlocks(BLOCKS);
    try (ServerProcess server =
        ServerProcess.in(folder)
            .volume("pinned=" + image + ",blockSize=4096,direct=on,engine=workers:4")
            .flags("--event-loops", "3")
            .start()) {
      try (var load = new VersionedLoad(server, "pinned", blocks, WRITERS, true);
          VolumeClient control = server.client("pinned")) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
          patch(control, "pinned:fill");
          load.awaitAnswers(ANSWERS_PER_ENGINE);
          patch(control, round % 2 == 0 ? "workers:2" : "aio");
          load.awaitAnswers(ANSWERS_PER_ENGINE);
          patch(control, "pinned");
          load.awaitAnswers(ANSWERS_PER_ENGINE);
          control
              .json("PATCH", "/v1/volumes/pinned", "{\"sizeBytes\":" + 4 * Images.MIB + "}")
              .expect(409);
          patch(control, "single");
          load.awaitAnswers(ANSWERS_PER_ENGINE);
        }
      }
      verify(server, "pinned", blocks);
    }
    blocks.verify(Files.readAllBytes(image));
  }

  private static void patch(VolumeClient control, String engine) throws IOException {
    String body = "{\"engine\":\"" + engine + "\"}";
    control.json("PATCH", "/v1/volumes/pinned", body).expect(200);
  }

  private Path image(String name) throws IOException {
    return Images.sparse(folder.resolve(name), (long) BLOCKS * VersionedBlocks.BLOCK);
  }

  /** Every engine of this build has to run on one volume at least. */
  private static List<String> ofThisBuild() {
    Set<String> names =
        new EngineSelector()
            .providers().stream().map(LoopEngineProvider::name).collect(Collectors.toSet());
    List<String> expected = new ArrayList<>(ENGINES);
    expected.removeIf(engine -> !names.contains(EngineSpec.parse(engine).name()));
    return expected;
  }

  private static void switchThroughAll(
      ServerProcess server, String volume, VersionedLoad load, int round, Set<String> ran)
      throws Exception {
    try (VolumeClient control = server.client(volume)) {
      int turn = round;
      for (String engine : ENGINES) {
        String body =
            "{\"engine\":\"" + engine + "\"," + OPTIONS.get(turn++ % OPTIONS.size()) + "}";
        Answer answer = control.json("PATCH", "/v1/volumes/" + volume, body);
        if (answer.status() == 400) {
          assertThat(answer.json().path("detail").asText())
              .containsAnyOf("is not available: ", "there is no engine ");
          continue;
        }
        String name = answer.expect(200).json().path("engine").path("name").asText();
        assertThat(name).isEqualTo(engine.equals("auto") ? name : engine);
        ran.add(engine);
        load.awaitAnswers(ANSWERS_PER_ENGINE);
      }
    }
  }

  private static void verify(ServerProcess server, String volume, VersionedBlocks blocks)
      throws IOException {
    try (VolumeClient client = server.client(volume)) {
      blocks.verify(client.readAll());
    }
  }
}

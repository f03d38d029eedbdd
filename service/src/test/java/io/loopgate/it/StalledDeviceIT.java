package io.loopgate.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One device stands still; its volume says so, and the others serve. */
class StalledDeviceIT {
  private static final int BLOCKS = 64;
  private static final int IN_FLIGHT_MAX = 4;
  private static final int ANSWERS = 200;

  @TempDir private Path folder;

  @BeforeEach
  void needsToFreeze() {
    LoopMount.require("ext4");
    Tools.require("fsfreeze");
  }

  @Test
  void aFileOnAFrozenFileSystem() throws Exception {
    try (LoopMount disk = LoopMount.make(folder, "ext4", 96L * Images.MIB)) {
      check(disk, image(disk), "");
    }
  }

  /** The device takes commands and does not end them; reads stand still as well as writes. */
  @Test
  void aBlockDeviceThatDoesNotAnswer() throws Exception {
    try (LoopMount disk = LoopMount.make(folder, "ext4", 96L * Images.MIB);
        LoopDisk device = LoopDisk.attach(image(disk))) {
      check(disk, device.device(), ",direct=on");
    }
  }

  private static Path image(LoopMount disk) throws IOException {
    return Images.noise(disk.directory().resolve("stalled.raw"), 1, BLOCKS * VersionedBlocks.BLOCK);
  }

  private void check(LoopMount disk, Path backing, String options) throws Exception {
    Path buffered = Images.sparse(folder.resolve("buffered.raw"), 2L * Images.MIB);
    Path direct = Images.sparse(folder.resolve("direct.raw"), 2L * Images.MIB);
    var bufferedBlocks = new VersionedBlocks(2 * Images.MIB / VersionedBlocks.BLOCK);
    var directBlocks = new VersionedBlocks(2 * Images.MIB / VersionedBlocks.BLOCK);
    var blocks = new VersionedBlocks(BLOCKS);
    try (ServerProcess server =
        ServerProcess.in(folder)
            .volume("stalled=" + backing + ",maxInFlight=" + IN_FLIGHT_MAX + options)
            .volume("buffered=" + buffered)
            .volume("direct=" + direct + ",direct=on,blockSize=4096")
            .flags("--event-loops", "2")
            .start()) {
      writeAll(server, blocks);
      try (var onBuffered = new VersionedLoad(server, "buffered", bufferedBlocks, 4);
          var onDirect = new VersionedLoad(server, "direct", directBlocks, 4)) {
        onBuffered.awaitAnswers(ANSWERS);
        onDirect.awaitAnswers(ANSWERS);
        disk.freeze();
        fillUp(server, blocks);
        assertTurnedAway(server);
        onBuffered.awaitAnswers(ANSWERS);
        onDirect.awaitAnswers(ANSWERS);
        assertTheRestLives(server);
        assertTurnedAway(server);
        disk.thaw();
        assertRecovers(server, blocks);
        onBuffered.awaitAnswers(ANSWERS);
        onDirect.awaitAnswers(ANSWERS);
      }
      verify(server, "stalled", blocks);
      verify(server, "buffered", bufferedBlocks);
      verify(server, "direct", directBlocks);
    }
  }

  private static void writeAll(ServerProcess server, VersionedBlocks blocks) throws IOException {
    try (VolumeClient client = server.client("stalled")) {
      for (int block = 0; block < blocks.count(); block++) {
        client.put((long) block * VersionedBlocks.BLOCK, blocks.next(block)).expect(200);
        blocks.acknowledge(block);
      }
    }
  }

  /** Writes that meet the stall are answered when their time is up, and stay inside. */
  private static void fillUp(ServerProcess server, VersionedBlocks blocks) throws IOException {
    List<Wire> waiting = new ArrayList<>();
    try {
      for (int block = 0; block < IN_FLIGHT_MAX; block++) {
        Wire wire = new Wire(server.data());
        waiting.add(wire);
        String range =
            VolumeClient.contentRange((long) block * VersionedBlocks.BLOCK, VersionedBlocks.BLOCK);
        List<String> headers = List.of(range, "Block-Timeout: 1000");
        wire.send("PUT", "/v1/volumes/stalled/data", headers, blocks.next(block));
      }
      for (Wire wire : waiting) {
        Answer answer = wire.receive("PUT").expect(504);
        assertThat(answer.code()).isEqualTo("deadline-exceeded");
      }
    } finally {
      for (Wire wire : waiting) {
        wire.close();
      }
    }
  }

  private static void assertTurnedAway(ServerProcess server) throws IOException {
    try (VolumeClient client = server.client("stalled")) {
      Answer read = client.get("bytes=0-4095").expect(503);
      assertThat(read.code()).isEqualTo("overloaded");
      assertThat(read.header("Retry-After")).isPresent();
      byte[] never = Images.noise(2, VersionedBlocks.BLOCK);
      assertThat(client.put(0, never).expect(503).code()).isEqualTo("overloaded");
    }
  }

  /** Health, metrics and the control plane do not wait for the device either. */
  private static void assertTheRestLives(ServerProcess server) throws IOException {
    try (Wire admin = new Wire(server.admin())) {
      admin.exchange("GET", "/health/live").expect(200);
      admin.exchange("GET", "/health/ready").expect(200);
    }
    assertThat(Metrics.scrape(server).value("loopgate_volume_in_flight{volume=\"stalled\"}"))
        .isEqualTo(IN_FLIGHT_MAX);
    try (VolumeClient client = server.client("buffered")) {
      client.json("PATCH", "/v1/volumes/buffered", "{\"engine\":\"workers:2\"}").expect(200);
      client.wire().exchange("GET", "/v1/volumes").expect(200);
    }
  }

  private static void assertRecovers(ServerProcess server, VersionedBlocks blocks)
      throws Exception {
    Eventually.becomesTrue(
        "nothing is in flight on the stalled volume",
        Tools.TIMEOUT,
        () -> {
          try {
            return Metrics.scrape(server).value("loopgate_volume_in_flight{volume=\"stalled\"}")
                == 0;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    // What was answered 504 may be there or not; nothing acknowledged may be missing.
    verify(server, "stalled", blocks);
    writeAll(server, blocks);
  }

  private static void verify(ServerProcess server, String volume, VersionedBlocks blocks)
      throws IOException {
    try (VolumeClient client = server.client(volume)) {
      blocks.verify(client.readAll());
    }
  }
}

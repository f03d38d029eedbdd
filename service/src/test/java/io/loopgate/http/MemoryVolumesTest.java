package io.loopgate.http;

import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes on memory, on nothing, and on several backings joined, over the wire. */
final class MemoryVolumesTest {
  private static final String VOLUME = "/v1/volumes/m";
  private static final String DATA = VOLUME + "/data";
  private static final int MIB = 1 << 20;

  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    client = server.connect();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ram:4MiB", "null:4MiB", "linear:ram:1MiB+ram:3MiB", "linear:null:1MiB+ram:3MiB"})
  void nothingOnMemoryIsEverCalledDurable(String backing) throws Exception {
    server.openOn("m", backing);
    List<Answer> answers =
        List.of(
            client.put(DATA, bytes(512, 1)),
            client.put(DATA + "?flush=y", bytes(512, 1)),
            client.put(DATA + "?flush=y", new byte[0]),
            client.put(DATA + "?offset=1048064&flush=y", bytes(1024, 2)),
            client.put(VOLUME + "/blocks/3?flush=y", bytes(512, 3)),
            client.json("PATCH", DATA, "{\"op\":\"zero\",\"offset\":0,\"size\":10,\"flush\":true}"),
            client.json("PATCH", DATA, "{\"op\":\"discard\",\"offset\":0,\"size\":1048576}"),
            client.json("PATCH", DATA, "{\"op\":\"flush\"}"),
            client.call("DELETE", VOLUME + "/blocks/3?flush=y"),
            client.call("POST", VOLUME + "/flush", "Content-Length: 0"));
    for (Answer answer : answers) {
      assertThat(answer.status()).as("%s", answer).isIn(200, 204);
      assertThat(answer.field("block-durable")).as("%s", answer).isEqualTo("false");
    }
    JsonNode document = client.get(VOLUME).json();
    assertThat(document.get("backing").asText()).contains(backing.substring(0, 5));
    assertThat(document.get("durability").asText()).isEqualTo("writeback");
    assertThat(document.get("durabilityReason").asText()).isNotBlank();
    assertThat(document.get("direct").booleanValue()).isFalse();
    assertThat(document.get("engine").get("fastPath").get("write").asText()).isEqualTo("native");
  }

  @Test
  void whatIsOnDiskStillIsDurable() throws Exception {
    assertThat(client.put(TestServer.DATA, bytes(512, 1)).field("block-durable")).isEqualTo("true");
    JsonNode document = client.get("/v1/volumes/v").json();
    assertThat(document.get("durability").asText()).isEqualTo("durable");
    assertThat(document.has("durabilityReason")).isFalse();
  }

  @Test
  void aRamDiskHoldsWhatIsWritten() throws Exception {
    server.openOn("m", "ram:4MiB");
    byte[] expected = new byte[4 * MIB];
    byte[] body = bytes(MIB + 777, 1);
    System.arraycopy(body, 0, expected, 2 * MIB - 500, body.length);
    assertThat(client.put(DATA + "?offset=" + (2 * MIB - 500), body).status()).isEqualTo(200);
    assertThat(Arrays.equals(client.get(DATA).body(), expected)).isTrue();
    JsonNode extents = client.get(VOLUME + "/extents").json().get("extents");
    assertThat(extents.size()).isEqualTo(2);
    assertThat(client.get(VOLUME).json().get("allocatedBytes").longValue()).isEqualTo(3L * MIB);
    client.json("PATCH", DATA, "{\"op\":\"discard\",\"offset\":0,\"size\":4194304}");
    assertThat(client.get(VOLUME).json().get("allocatedBytes").longValue()).isZero();
    assertThat(client.get(DATA).body()).containsOnly(0);
    assertThat(client.json("PATCH", VOLUME, "{\"sizeBytes\":8388608}").json().get("backing"))
        .hasToString("\"faulty ram:8MiB\"");
    Answer large = client.json("PATCH", VOLUME, "{\"sizeBytes\":4611686018427387904}");
    assertThat(large.problem()).isEqualTo("507 no-space");
    assertThat(large.json().get("detail").asText()).contains("half of this machine's memory");
  }

  @Test
  void aNullVolumeReadsAsZeroesWhateverMemoryHeldBefore() throws Exception {
    server.openOn("m", "null:1TiB");
    client.put(TestServer.DATA, bytes(TestServer.SIZE, 1));
    assertThat(client.put(DATA, bytes(MIB, 2)).status()).isEqualTo(200);
    for (int i = 0; i < 20; i++) {
      client.get(TestServer.DATA);
      assertThat(client.get(DATA, "Range: bytes=549755813888-549756862463").body())
          .hasSize(MIB)
          .containsOnly(0);
    }
  }

  private Path joinRamAndFile() {
    Path file = server.folder().resolve("rest.raw");
    FileBackings.create(file, MIB);
    server.openOn("m", "linear:ram:1026KiB+" + file);
    return file;
  }

  @Test
  void aBodyCrossesSegments() throws Exception {
    joinRamAndFile();
    int size = 1026 * 1024 + MIB;
    byte[] expected = bytes(size, 1);
    assertThat(client.put(DATA, expected).status()).isEqualTo(200);
    for (int[] range : new int[][] {{1026 * 1024 - 1, 2}, {1000, MIB + 500_000}, {5, 7}}) {
      byte[] body = bytes(range[1], range[0]);
      System.arraycopy(body, 0, expected, range[0], body.length);
      assertThat(client.put(DATA + "?offset=" + range[0], body).status()).isEqualTo(200);
    }
    assertThat(Arrays.equals(client.get(DATA).body(), expected)).isTrue();
    for (String engine : List.of("single", "workers:3")) {
      JsonNode changed =
          client.json("PATCH", VOLUME, "{\"engine\":\"" + engine + "\"}").json().get("engine");
      assertThat(changed.get("name").asText()).isEqualTo(engine);
      assertThat(changed.get("reason").asText()).contains("2 segments");
      assertThat(Arrays.equals(client.get(DATA).body(), expected)).isTrue();
    }
  }

  @Test
  void onlyTheLastSegmentIsResized() throws Exception {
    joinRamAndFile();
    long size = 1026 * 1024 + MIB;
    assertThat(client.json("PATCH", VOLUME, "{\"sizeBytes\":" + (size + MIB) + "}").status())
        .isEqualTo(200);
    assertThat(client.get(DATA, "Range: bytes=" + size + "-").body()).hasSize(MIB).containsOnly(0);
    Answer refused = client.json("PATCH", VOLUME, "{\"sizeBytes\":1048576,\"allowShrink\":true}");
    assertThat(refused.problem()).isEqualTo("400 bad-request");
    assertThat(refused.json().get("detail").asText()).contains("only its last segment");
    assertThat(client.get(VOLUME).json().get("sizeBytes").longValue()).isEqualTo(size + MIB);
  }

  @Test
  void anErrorOfASegmentIsToldAndTheRestGoesOn() throws Exception {
    Path file = joinRamAndFile();
    server.faultsOf(file).failAll(BlockOp.WRITE, Errno.EIO);
    Answer failed = client.put(DATA + "?offset=" + (1026 * 1024 - 512), bytes(1024, 1));
    assertThat(failed.problem()).isEqualTo("500 io-error");
    try (RawConnection other = server.connect()) {
      assertThat(other.put(DATA, bytes(4096, 2)).status()).isEqualTo(200);
    }
  }

  @Test
  void aFailedFlushOfASegmentPoisonsTheVolume() throws Exception {
    Path file = joinRamAndFile();
    server.faultsOf(file).failFlush(Errno.EIO);
    assertThat(client.put(DATA + "?flush=y", bytes(512, 1)).problem()).isEqualTo("500 poisoned");
    try (RawConnection other = server.connect()) {
      assertThat(other.put(DATA, bytes(512, 1)).problem()).isEqualTo("500 poisoned");
      assertThat(other.get(DATA, "Range: bytes=0-511").status()).isEqualTo(206);
    }
  }

  @Test
  void aStalledSegmentHoldsUpNoOther() throws Exception {
    Path file = joinRamAndFile();
    server.faultsOf(file).forceTry(Errno.EAGAIN);
    Gate gate = server.faultsOf(file).hold();
    try (RawConnection stuck = server.connect()) {
      stuck.send(RawConnection.head("GET", DATA, "Range: bytes=1050624-1051135"));
      gate.awaitWaiting(1);
      for (int i = 0; i < 10; i++) {
        assertThat(client.put(DATA, bytes(8192, i)).status()).isEqualTo(200);
        assertThat(client.get(DATA, "Range: bytes=0-8191").body()).isEqualTo(bytes(8192, i));
      }
      gate.release();
      assertThat(stuck.receive("GET").status()).isEqualTo(206);
    }
  }

  @Test
  void clientsCannotMakeThem() throws Exception {
    for (String backing : List.of("ram:1MiB", "null:1MiB", "linear:v.raw+w.raw")) {
      Answer refused =
          client.json(
              "POST",
              "/v1/volumes",
              "{\"id\":\"x\",\"sizeBytes\":1048576,\"backing\":\"" + backing + "\"}");
      assertThat(refused.problem()).isEqualTo("400 bad-request");
      assertThat(refused.json().get("detail").asText())
          .contains("can be configured, but not created over HTTP")
          .contains("--volume ID=" + backing);
    }
  }
}

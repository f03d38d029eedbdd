package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.DirectIo;
import io.loopgate.engine.EngineOptions;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks, objects, alignment, and changes without a payload. */
final class ChangesTest {
  private static final String BLOCKS = "/v1/volumes/v/blocks/";

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

  @Test
  void blocksAndObjectsAreExact() throws Exception {
    byte[] two = bytes(1024, 1);
    assertThat(client.put(BLOCKS + "2", two).status()).isEqualTo(200);
    assertThat(client.get(BLOCKS + "2?count=2").body()).isEqualTo(two);
    assertThat(client.get(BLOCKS + "2").body()).hasSize(512);
    for (String method : List.of("GET", "PUT", "DELETE")) {
      assertThat(client.call(method, BLOCKS + "2?count=0", "Content-Length: 0").status())
          .isEqualTo(400);
    }
    assertThat(client.put(BLOCKS + "2?count=1", two).problem()).isEqualTo("400 length-mismatch");
    assertThat(client.put(BLOCKS + "2", bytes(513, 1)).problem()).isEqualTo("400 length-mismatch");
    assertThat(client.put("/v1/objects/v_512_1024", bytes(512, 1)).problem())
        .isEqualTo("400 length-mismatch");
    assertThat(client.get("/v1/objects/v_1024_1024", "Range: bytes=0-0").status()).isEqualTo(200);
    assertThat(client.get("/v1/objects/v_" + SIZE + "_1").status()).isEqualTo(416);
    assertThat(client.get("/v1/objects/v_9223372036854775807_9223372036854775807").status())
        .isEqualTo(416);
    assertThat(client.get("/v1/objects/none_0_1").status()).isEqualTo(404);
    Answer deleted = client.call("DELETE", BLOCKS + "2?count=2");
    assertThat(deleted.status()).isEqualTo(204);
    assertThat(deleted.field("block-sequence")).matches("[0-9]+");
    assertThat(client.get(BLOCKS + "2?count=2").body()).isEqualTo(new byte[1024]);
  }

  @Test
  void aStrictVolumeRefusesWhatIsNotAligned() throws Exception {
    server.open(
        server.settings("s", Durability.DURABLE, AlignmentPolicy.STRICT, VolumeLimits.DEFAULT));
    String data = "/v1/volumes/s/data";
    for (String offset : List.of("1", "100", "511")) {
      Answer answer = client.put(data + "?offset=" + offset, bytes(512, 1));
      assertThat(answer.problem()).isEqualTo("400 misaligned");
      assertThat(answer.json().get("alignment").intValue()).isEqualTo(512);
    }
    assertThat(client.put(data, bytes(100, 1)).problem()).isEqualTo("400 misaligned");
    assertThat(client.chunked("PUT", data, bytes(100, 1)).problem()).isEqualTo("400 misaligned");
    assertThat(client.json("PATCH", data, "{\"op\":\"zero\",\"offset\":1,\"size\":512}").problem())
        .isEqualTo("400 misaligned");
    assertThat(server.faults("s").executed()).isZero();
    assertThat(client.put(data + "?offset=512", bytes(1024, 1)).status()).isEqualTo(200);
    assertThat(client.chunked("PUT", data, bytes(1024, 1)).status()).isEqualTo(200);
    assertThat(client.get(data, "Range: bytes=1-3").status()).isEqualTo(206);
  }

  @Test
  void aDirectVolumeTakesUnalignedWrites() throws Exception {
    VolumeSettings usual = server.settings("d");
    server.open(
        new VolumeSettings(
            "d",
            usual.backing(),
            usual.engine(),
            EngineOptions.DEFAULT,
            usual.nowait(),
            DirectIo.ON,
            false,
            usual.durability(),
            usual.blockSizeBytes(),
            usual.alignment(),
            usual.limits()));
    String data = "/v1/volumes/d/data";
    byte[] expected = bytes(SIZE, 1);
    assertThat(client.put(data, expected).status()).isEqualTo(200);
    for (int[] range : new int[][] {{1, 1}, {511, 2}, {4095, 4098}, {5, 300_000}, {SIZE - 1, 1}}) {
      byte[] body = bytes(range[1], range[0]);
      System.arraycopy(body, 0, expected, range[0], body.length);
      assertThat(client.put(data + "?offset=" + range[0], body).status()).isEqualTo(200);
      assertThat(client.chunked("PUT", data + "?offset=" + range[0], body).status()).isEqualTo(200);
      assertThat(
              client.get(data, "Range: bytes=" + range[0] + "-" + (range[0] + range[1] - 1)).body())
          .isEqualTo(body);
    }
    assertThat(Arrays.equals(client.get(data).body(), expected)).isTrue();
  }

  @Test
  void zeroAndDiscardReadBackAsZeroes() throws Exception {
    client.put(DATA, bytes(SIZE, 1));
    for (String op : List.of("zero", "discard")) {
      for (String more : List.of("", ",\"unmap\":false", ",\"flush\":false,\"unmap\":true")) {
        client.put(DATA + "?offset=1000", bytes(5000, 2));
        String body = "{\"op\":\"" + op + "\",\"offset\":1001,\"size\":4998" + more + "}";
        Answer answer = client.json("PATCH", DATA, body);
        assertThat(answer.status()).as(body).isEqualTo(200);
        assertThat(answer.field("block-durable"))
            .isEqualTo(more.contains("flush") ? "false" : "true");
        assertThat(answer.field("block-sequence")).isNotEmpty();
        byte[] expected = new byte[5000];
        expected[0] = bytes(5000, 2)[0];
        expected[4999] = bytes(5000, 2)[4999];
        assertThat(client.get(DATA, "Range: bytes=1000-5999").body()).isEqualTo(expected);
      }
    }
  }

  @Test
  void aPatchIsReadStrictly() throws Exception {
    long executed = server.faults("v").executed();
    for (String bad :
        List.of(
            "{}",
            "{\"op\":\"trim\",\"offset\":0,\"size\":1}",
            "{\"op\":\"zero\",\"offset\":0}",
            "{\"op\":\"zero\",\"size\":512}",
            "{\"op\":\"zero\",\"offset\":0,\"size\":512.5}",
            "{\"op\":\"zero\",\"offset\":\"0\",\"size\":512}",
            "{\"op\":\"zero\",\"offset\":-1,\"size\":512}",
            "{\"op\":\"zero\",\"offset\":0,\"size\":512,\"length\":1}",
            "{\"op\":\"zero\",\"offset\":0,\"offset\":0,\"size\":512}",
            "{\"op\":\"zero\",\"offset\":0,\"size\":512,\"flush\":\"y\"}",
            "[{\"op\":\"zero\",\"offset\":0,\"size\":512}]")) {
      assertThat(client.json("PATCH", DATA, bad).problem()).as(bad).isEqualTo("400 bad-request");
    }
    assertThat(client.json("PATCH", DATA, "{\"op\":\"zero\",\"offset\":7,\"size\":0}").status())
        .isEqualTo(200);
    assertThat(
            client.json("PATCH", DATA, "{\"op\":\"zero\",\"offset\":1048576,\"size\":1}").problem())
        .isEqualTo("416 range-not-satisfiable");
    assertThat(server.faults("v").executed()).isEqualTo(executed);
    assertThat(client.json("PATCH", DATA, "{\"op\":\"flush\"}").status()).isEqualTo(200);
    String large = " ".repeat(70_000) + "{\"op\":\"flush\"}";
    assertThat(client.json("PATCH", DATA, large).problem()).isEqualTo("413 too-large");
  }
}

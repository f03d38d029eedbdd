package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.loopgate.block.BlockOp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Extents, checksums, probes, and many ranges at once. */
final class ViewsTest {
  private static final String EXTENTS = "/v1/volumes/v/extents";
  private static final String CHECKSUM = "/v1/volumes/v/checksum";
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
  void headIsGetWithoutItsBody() throws Exception {
    String[] targets = {
      "/v1",
      "/v1/volumes",
      "/v1/volumes/v",
      DATA,
      BLOCKS + "1?count=2",
      EXTENTS,
      CHECKSUM,
      "/v1/objects/v_0_512",
      "/openapi.yaml",
      "/v1/none",
      BLOCKS + "x",
      EXTENTS + "?limit=0"
    };
    for (String target : targets) {
      Answer get = client.get(target);
      Answer head = client.call("HEAD", target);
      assertThat(head.status()).as(target).isEqualTo(get.status());
      for (String field : List.of("content-length", "content-type", "etag", "cache-control")) {
        assertThat(head.field(field)).as(target + " " + field).isEqualTo(get.field(field));
      }
    }
  }

  @Test
  void aRequestIdIsEchoedOrMadeForAnError() throws Exception {
    assertThat(client.get("/v1", "X-Request-Id: abc-1").field("x-request-id")).isEqualTo("abc-1");
    assertThat(client.get("/v1/none", "X-Request-Id: abc-2").field("x-request-id"))
        .isEqualTo("abc-2");
    assertThat(client.get("/v1/none").field("x-request-id")).isNotEmpty();
    assertThat(client.get("/v1").field("x-request-id")).isEmpty();
    assertThat(client.get("/v1/none", "X-Request-Id: " + "x".repeat(200)).field("x-request-id"))
        .hasSizeLessThan(129)
        .isNotEmpty();
  }

  @Test
  void extentsArePagedAndCursorsBelongToTheirWindow() throws Exception {
    for (int i = 0; i < 8; i++) {
      client.put(DATA + "?offset=" + i * 131072, bytes(65536, i));
    }
    JsonNode first = client.get(EXTENTS + "?limit=3").json();
    assertThat(first.get("extents").size()).isLessThanOrEqualTo(3);
    String cursor = first.get("next").asText();
    JsonNode second = client.get(EXTENTS + "?limit=3&cursor=" + cursor).json();
    JsonNode last = first.get("extents").get(first.get("extents").size() - 1);
    assertThat(second.get("extents").get(0).get("start").longValue())
        .isEqualTo(last.get("start").longValue() + last.get("length").longValue());
    for (String bad :
        List.of(
            "?limit=3&start=512&cursor=" + cursor,
            "?limit=3&length=1000&cursor=" + cursor,
            "?cursor=AAAA",
            "?cursor=!",
            "?limit=0",
            "?limit=10001",
            "?limit=x",
            "?context=base:allocation",
            "?start=-1",
            "?start=1&start=2")) {
      assertThat(client.get(EXTENTS + bad).problem()).as(bad).isEqualTo("400 bad-request");
    }
    server.open("w");
    assertThat(client.get("/v1/volumes/w/extents?cursor=" + cursor).problem())
        .isEqualTo("400 bad-request");
    assertThat(client.get(EXTENTS + "?limit=10000").status()).isEqualTo(200);
    Answer past = client.get(EXTENTS + "?start=" + SIZE, "Accept: application/json");
    assertThat(past.problem()).isEqualTo("416 range-not-satisfiable");
  }

  @Test
  void extentsAreClippedAndStreamed() throws Exception {
    client.put(DATA + "?offset=65536", bytes(65536, 1));
    JsonNode clipped = client.get(EXTENTS + "?start=1000&length=2000").json().get("extents");
    assertThat(clipped).hasSize(1);
    assertThat(clipped.get(0).get("start").longValue()).isEqualTo(1000);
    assertThat(clipped.get(0).get("length").longValue()).isEqualTo(2000);
    assertThat(clipped.get(0).get("hole").booleanValue()).isTrue();
    Answer lines = client.get(EXTENTS + "?limit=1", "Accept: application/x-ndjson");
    assertThat(lines.field("content-type")).isEqualTo("application/x-ndjson");
    List<String> all = lines.text().lines().toList();
    assertThat(all.getLast()).isEqualTo("{\"end\":true}");
    assertThat(all).hasSizeGreaterThanOrEqualTo(4);
    assertThat(all.getFirst()).startsWith("{\"start\":0,");
  }

  @Test
  void checksumsAreThoseOfTheBytesOrOfTheirBlocks() throws Exception {
    byte[] all = bytes(SIZE, 1);
    client.put(DATA, all);
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    JsonNode whole = client.get(CHECKSUM).json();
    assertThat(whole.get("checksum").asText()).isEqualTo(HexFormat.of().formatHex(sha.digest(all)));
    assertThat(whole.get("blockSizeBytes").isNull()).isTrue();
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (int from = 0; from < 100_000; from += 30_000) {
      joined.write(sha.digest(Arrays.copyOfRange(all, from, Math.min(100_000, from + 30_000))));
    }
    JsonNode blocks = client.get(CHECKSUM + "?length=100000&blockSizeBytes=30000").json();
    assertThat(blocks.get("checksum").asText())
        .isEqualTo(HexFormat.of().formatHex(sha.digest(joined.toByteArray())));
    for (String bad :
        List.of("?algorithm=md5", "?blockSizeBytes=0", "?start=x", "?length=-1", "?start=")) {
      assertThat(client.get(CHECKSUM + bad).problem()).as(bad).isEqualTo("400 bad-request");
    }
    assertThat(client.get(CHECKSUM + "?start=" + (SIZE + 1)).status()).isEqualTo(416);
    assertThat(client.get(CHECKSUM + "?length=" + (SIZE + 1)).status()).isEqualTo(416);
    assertThat(client.get(CHECKSUM + "?start=" + SIZE).status()).isEqualTo(200);
  }

  @Test
  void optionsTellTheBounds() throws Exception {
    Answer answer = client.call("OPTIONS", DATA);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("allow")).isEqualTo("OPTIONS, HEAD, GET, PUT, PATCH");
    assertThat(answer.field("accept-ranges")).isEqualTo("bytes");
    assertThat(answer.field("accept-patch")).isEqualTo("application/json");
    JsonNode json = answer.json();
    assertThat(json.get("maxHeldBytes").longValue()).isEqualTo(1 << 20);
    assertThat(json.get("maxRanges").intValue()).isEqualTo(256);
    assertThat(json.get("sizeBytes").intValue()).isEqualTo(SIZE);
    assertThat(json.get("features")).hasSize(5);
    assertThat(json.get("fastPath").get("read").asText()).isIn("native", "unsupported");
  }

  @Test
  void manyRangesComeAscendingAndExact() throws Exception {
    byte[] all = bytes(SIZE, 9);
    client.put(DATA, all);
    StringBuilder ranges = new StringBuilder();
    for (int i = 255; i >= 0; i--) {
      ranges.append(i * 4000).append('-').append(i * 4000 + 9).append(i == 0 ? "" : ",");
    }
    Answer answer = client.get(DATA, "Range: bytes=" + ranges);
    assertThat(answer.status()).isEqualTo(206);
    assertThat(answer.field("transfer-encoding")).isEmpty();
    String[] parts =
        new String(answer.body(), java.nio.charset.StandardCharsets.ISO_8859_1)
            .split("Content-Range: ", -1);
    assertThat(parts).hasSize(257);
    for (int i = 0; i < 256; i++) {
      assertThat(parts[i + 1]).startsWith("bytes " + i * 4000 + "-" + (i * 4000 + 9) + "/" + SIZE);
    }
    assertThat(server.faults("v").fail(r -> r.op() == BlockOp.READ, 5, 3, 1).executed())
        .isPositive();
    client.send(RawConnection.head("GET", DATA, "Range: bytes=" + ranges));
    assertThat(client.receiveHead().status()).isEqualTo(206);
    assertThat(client.drain()).isLessThan(answer.body().length);
    client = server.connect();
  }
}

package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** 404, 405, 415, 400 syntax, 413/416, read-only, 412: the first that applies is the answer. */
final class CheckOrderTest {
  private static final String CODED = "Content-Encoding: gzip";
  private static final String STALE = "If-Match: \"none-0\"";
  private static final String BAD_DIGEST = "Content-Digest: sha-512=:AAAA:";
  private static final String BAD_TIMEOUT = "Block-Timeout: soon";

  private final byte[] body = bytes(512, 1);
  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    server.open("r");
    client = server.connect();
    assertThat(client.json("PATCH", "/v1/volumes/r", "{\"readOnly\":true}").status())
        .isEqualTo(200);
  }

  @AfterEach
  void stop() throws IOException {
    // Every refusal above left the connection open.
    assertThat(client.call("HEAD", DATA).status()).isEqualTo(200);
    client.close();
    server.close();
  }

  @Test
  void notFoundComesFirst() throws Exception {
    assertThat(client.put("/v1/volumes/none/data?x=1", body, CODED).problem())
        .isEqualTo("404 no-such-volume");
    assertThat(client.body("POST", "/v1/volumes/none/data", body).problem())
        .isEqualTo("404 no-such-volume");
    Answer unknown = client.put("/v1/volumes/v/dta", body);
    assertThat(unknown.problem()).isEqualTo("404 no-such-resource");
    assertThat(unknown.json().get("detail").asText())
        .contains("data")
        .contains("blocks")
        .contains("extents")
        .contains("checksum")
        .contains("flush");
  }

  @Test
  void thenTheMethod() throws Exception {
    Answer answer = client.body("DELETE", DATA + "?x=1", body, CODED);
    assertThat(answer.problem()).isEqualTo("405 method-not-allowed");
    assertThat(answer.field("allow")).isEqualTo("OPTIONS, HEAD, GET, PUT, PATCH");
    assertThat(client.body("POST", "/v1/volumes/v/blocks/x", body).problem())
        .isEqualTo("405 method-not-allowed");
  }

  @Test
  void thenTheMediaType() throws Exception {
    String[] targets = {
      DATA + "?x=1",
      DATA + "?offset=99999999",
      "/v1/volumes/r/data?x=1",
      "/v1/volumes/v/blocks/x?count=0",
      "/v1/volumes/v/blocks/99999999",
      "/v1/objects/v_99999999_512?x=1"
    };
    for (String target : targets) {
      assertThat(client.put(target, body, CODED, STALE).problem())
          .as(target)
          .isEqualTo("415 unsupported-media-type");
    }
    for (String target : new String[] {DATA + "?x=1", "/v1/volumes/v?x=1"}) {
      assertThat(client.body("PATCH", target, body, "Content-Type: text/plain").problem())
          .as(target)
          .isEqualTo("415 unsupported-media-type");
    }
    assertThat(client.body("POST", "/v1/volumes?x=1", body, "Content-Type: text/plain").problem())
        .isEqualTo("415 unsupported-media-type");
    assertThat(client.put(DATA, body, "Content-Encoding: identity", CODED).problem())
        .isEqualTo("415 unsupported-media-type");
  }

  @Test
  void thenTheSyntax() throws Exception {
    String far = DATA + "?offset=99999999";
    assertThat(client.put(far + "&x=1", body, STALE).problem()).isEqualTo("400 bad-request");
    assertThat(client.put(far, body, "Range: bytes=0-1").problem()).isEqualTo("400 bad-range");
    assertThat(client.put(far, body, BAD_DIGEST).problem()).isEqualTo("400 bad-request");
    assertThat(client.put(far, body, BAD_TIMEOUT).problem()).isEqualTo("400 bad-request");
    assertThat(client.put("/v1/volumes/r/data?offset=x", body).problem())
        .isEqualTo("400 bad-range");
    assertThat(client.put("/v1/volumes/v/blocks/99999999", body, BAD_DIGEST).problem())
        .isEqualTo("400 bad-request");
    assertThat(client.put("/v1/volumes/v/blocks/99999999?count=0", body).problem())
        .isEqualTo("400 bad-request");
    assertThat(
            client
                .put("/v1/volumes/v/blocks/99999999", body, "Content-Range: bytes 0-511/*")
                .problem())
        .isEqualTo("400 bad-range");
    assertThat(client.put("/v1/objects/v_99999999_512?x=1", body).problem())
        .isEqualTo("400 bad-request");
    assertThat(client.call("DELETE", "/v1/objects/v_99999999_512?x=1").problem())
        .isEqualTo("400 bad-request");
    assertThat(
            client
                .json("PATCH", DATA + "?x=1", "{\"op\":\"zero\",\"offset\":0,\"size\":512}")
                .problem())
        .isEqualTo("400 bad-request");
    assertThat(client.call("POST", "/v1/volumes/v/flush?x=1").problem())
        .isEqualTo("400 bad-request");
    assertThat(client.call("DELETE", "/v1/volumes/v?x=1").problem()).isEqualTo("400 bad-request");
    assertThat(client.json("PATCH", "/v1/volumes/v?x=1", "{}").problem())
        .isEqualTo("400 bad-request");
    assertThat(client.json("POST", "/v1/volumes?x=1", "{}").problem()).isEqualTo("400 bad-request");
  }

  @Test
  void thenTheRange() throws Exception {
    String readOnly = "/v1/volumes/r/data";
    Answer answer = client.put(readOnly + "?offset=99999999", body, STALE);
    assertThat(answer.problem()).isEqualTo("416 range-not-satisfiable");
    assertThat(answer.field("content-range")).isEqualTo("bytes */" + SIZE);
    assertThat(client.put(readOnly, bytes(SIZE + 1, 2), STALE).problem())
        .isEqualTo("413 too-large");
    assertThat(client.put("/v1/volumes/r/blocks/99999999", body, STALE).problem())
        .isEqualTo("416 range-not-satisfiable");
    assertThat(client.put("/v1/volumes/r/blocks/9223372036854775807", body).problem())
        .isEqualTo("416 range-not-satisfiable");
    assertThat(
            client
                .json("PATCH", readOnly, "{\"op\":\"zero\",\"offset\":99999999,\"size\":1}", STALE)
                .problem())
        .isEqualTo("416 range-not-satisfiable");
  }

  @Test
  void thenReadOnlyThenThePrecondition() throws Exception {
    assertThat(client.put("/v1/volumes/r/data", body, STALE).problem()).isEqualTo("403 read-only");
    assertThat(client.call("DELETE", "/v1/volumes/r/blocks/0", STALE).problem())
        .isEqualTo("403 read-only");
    assertThat(client.put(DATA, body, STALE).problem()).isEqualTo("412 precondition-failed");
    assertThat(client.put(DATA, body, "If-None-Match: *").problem())
        .isEqualTo("412 precondition-failed");
    String tag = client.call("HEAD", DATA).field("etag");
    assertThat(client.put(DATA, body, "If-None-Match: \"x\"", "If-None-Match: " + tag).problem())
        .isEqualTo("412 precondition-failed");
    assertThat(client.put(DATA, body, "If-Match: \"x\"", "If-Match: " + tag).status())
        .isEqualTo(200);
  }

  @Test
  void nothingIsAskedForThatWouldBeRefused() throws Exception {
    String[][] refused = {
      {DATA + "?x=1", "400"},
      {DATA + "?offset=99999999", "416"},
      {"/v1/volumes/r/data", "403"},
    };
    for (String[] each : refused) {
      client.send(
          RawConnection.head("PUT", each[0], "Content-Length: 512", "Expect: 100-continue"));
      assertThat(client.anyHead().status()).as(each[0]).isEqualTo(Integer.parseInt(each[1]));
      client.close();
      client = server.connect();
    }
    client.send(
        RawConnection.head(
            "PATCH",
            DATA + "?x=1",
            "Content-Type: application/json",
            "Content-Length: 2",
            "Expect: 100-continue"));
    assertThat(client.anyHead().status()).isEqualTo(400);
    client.close();
    client = server.connect();
  }

  @Test
  void aRefusedBodyUpToAMillionIsDiscardedAndALongerOneCostsItsConnection() throws Exception {
    assertThat(client.put(DATA + "?x=1", bytes(1 << 20, 3)).status()).isEqualTo(400);
    assertThat(client.call("HEAD", DATA).status()).isEqualTo(200);
    try (RawConnection other = server.connect()) {
      other.send(RawConnection.head("PUT", DATA + "?x=1", "Content-Length: 100000000"));
      assertThat(other.receive("PUT").status()).isEqualTo(400);
      byte[] piece = bytes(1 << 16, 4);
      int sent = 0;
      try {
        while (sent < 100_000_000) {
          other.send(piece);
          sent += piece.length;
        }
      } catch (IOException closed) {
        // As it should be.
      }
      assertThat(sent).isLessThan(100_000_000);
    }
  }
}

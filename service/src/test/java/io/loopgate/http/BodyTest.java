package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies of all shapes: held, broken off, empty, checked. */
final class BodyTest {
  private static final int BIG = 4 << 20;
  private static final String BIG_DATA = "/v1/volumes/big/data";

  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    server.open(server.settings("big"), BIG);
    client = server.connect();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private long sequence(String id) {
    return server.volume(id).currentSequence();
  }

  @Test
  void aChunkedBodyUpToTheBoundIsHeldAndALongerOneIsRefusedUnwritten() throws Exception {
    byte[] longest = bytes(1 << 20, 1);
    assertThat(client.chunked("PUT", BIG_DATA, longest).status()).isEqualTo(200);
    long before = sequence("big");
    Answer refused = client.chunked("PUT", BIG_DATA, bytes((1 << 20) + 1, 2));
    assertThat(refused.problem()).isEqualTo("413 too-large");
    assertThat(refused.json().get("limit").longValue()).isEqualTo(1 << 20);
    assertThat(sequence("big")).isEqualTo(before);
    assertThat(client.get(BIG_DATA, "Range: bytes=0-1048575").body()).isEqualTo(longest);
    assertThat(client.get(BIG_DATA, "Range: bytes=1048576-").body())
        .isEqualTo(new byte[BIG - (1 << 20)]);
  }

  @Test
  void aBodyToBeCheckedIsHeldTooWhateverItsLengthSays() throws Exception {
    byte[] body = bytes(2 << 20, 1);
    Answer refused =
        client.put(BIG_DATA, body, "Content-Digest: " + ContentDigestTest.crc32c(body));
    assertThat(refused.problem()).isEqualTo("413 too-large");
    assertThat(client.put(BIG_DATA, body).status()).isEqualTo(200);
    byte[] small = bytes(1 << 20, 2);
    assertThat(
            client
                .put(BIG_DATA, small, "Content-Digest: " + ContentDigestTest.sha256(small))
                .status())
        .isEqualTo(200);
    byte[] other = bytes(1 << 20, 3);
    long before = sequence("big");
    Answer mismatch =
        client.put(
            BIG_DATA,
            other,
            "Content-Digest: " + ContentDigestTest.crc32c(other),
            "Content-Digest: " + ContentDigestTest.sha256(small));
    assertThat(mismatch.problem()).isEqualTo("400 digest-mismatch");
    assertThat(sequence("big")).isEqualTo(before);
    assertThat(client.get(BIG_DATA, "Range: bytes=0-1048575").body()).isEqualTo(small);
  }

  @Test
  void aBodyBrokenOffAfterBytesWereWrittenRaisesTheSequence() throws Exception {
    long before = sequence("big");
    try (RawConnection leaver = server.connect()) {
      leaver.send(RawConnection.head("PUT", BIG_DATA, "Content-Length: " + BIG));
      leaver.send(bytes(BIG / 2, 1));
      eventually("something was written", () -> server.faults("big").executed() > 0);
      leaver.reset();
    }
    server.awaitQuiet();
    assertThat(sequence("big")).isGreaterThan(before);
  }

  @Test
  void aHeldBodyBrokenOffChangesNothing() throws Exception {
    long before = sequence("v");
    try (RawConnection leaver = server.connect()) {
      leaver.send(RawConnection.head("PUT", DATA, "Transfer-Encoding: chunked"));
      leaver.sendChunk(bytes(100_000, 1));
      eventually("it is held", () -> server.telemetry().heldBytes() > 0);
      leaver.reset();
    }
    server.awaitQuiet();
    assertThat(sequence("v")).isEqualTo(before);
    assertThat(server.faults("v").executed()).isZero();
  }

  @Test
  void anEmptyBodyChangesNothing() throws Exception {
    String tag = client.call("HEAD", DATA).field("etag");
    for (String target : new String[] {DATA, DATA + "?offset=77", DATA + "?offset=" + SIZE}) {
      Answer answer = client.put(target, new byte[0]);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
      assertThat(answer.field("etag")).isEqualTo(tag);
      assertThat(answer.field("block-durable")).isEqualTo("true");
    }
    assertThat(client.chunked("PUT", DATA, new byte[0]).status()).isEqualTo(200);
    client.send(RawConnection.head("PUT", DATA));
    assertThat(client.receive("PUT").status()).isEqualTo(200);
    assertThat(client.put(DATA + "?offset=" + (SIZE + 1), new byte[0]).problem())
        .isEqualTo("416 range-not-satisfiable");
    assertThat(client.call("HEAD", DATA).field("etag")).isEqualTo(tag);
  }

  @Test
  void anAnswerToAWriteSaysWhatItDid() throws Exception {
    Answer answer = client.put(DATA, bytes(512, 1), "Content-Range: bytes 512-1023/" + SIZE);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
    assertThat(answer.field("content-length")).isEqualTo("0");
    String sequence = answer.field("block-sequence");
    assertThat(sequence).matches("[0-9]+");
    assertThat(answer.field("etag")).matches("\"[0-9a-f]+-" + sequence + "\"");
    assertThat(answer.field("block-durable")).isEqualTo("true");
    assertThat(client.put(DATA + "?flush=n", bytes(512, 1)).field("block-durable"))
        .isEqualTo("false");
  }

  @Test
  void bodiesOfManyPiecesArriveWhole() throws Exception {
    byte[] body = bytes(3_000_001, 7);
    assertThat(client.put(BIG_DATA + "?offset=12345", body).status()).isEqualTo(200);
    assertThat(client.get(BIG_DATA, "Range: bytes=12345-" + (12345 + body.length - 1)).body())
        .isEqualTo(body);
  }

  @Test
  void strictAndLenientRangesDiffer() throws Exception {
    byte[] body = bytes(512, 1);
    String[] wrong = {
      "bytes 0-511/-1", "bytes 0-511/7", "bytes 0-512/*", "bytes 0-510/*", "bytes=0-511/*"
    };
    for (String range : wrong) {
      Answer answer = client.put(DATA, body, "Content-Range: " + range);
      assertThat(answer.status()).as(range).isEqualTo(400);
    }
    String lenient = DATA + "?lenient=1";
    for (String range : new String[] {"bytes 0-511/-1", "bytes 0-511/7", "bytes 0-512/*"}) {
      assertThat(client.put(lenient, body, "Content-Range: " + range).status())
          .as(range)
          .isEqualTo(200);
    }
    for (String range : new String[] {"bytes 0-513/*", "bytes 0-510/*", "bytes=0-511/*"}) {
      assertThat(client.put(lenient, body, "Content-Range: " + range).status())
          .as(range)
          .isEqualTo(400);
    }
    assertThat(
            client
                .put(DATA, body, "Content-Range: bytes 0-511/*", "Content-Range: bytes 0-511/*")
                .problem())
        .isEqualTo("400 bad-range");
  }

  @Test
  void aWriteErrorAmidALongBodyIsAnsweredAndTheRestDiscarded() throws Exception {
    server.faults("v").failNth(BlockOp.WRITE, 1, Errno.EIO);
    byte[] body = bytes(SIZE, 1);
    assertThat(client.put(DATA, body).problem()).isEqualTo("500 io-error");
    assertThat(client.put(DATA, body).status()).isEqualTo(200);
    assertThat(Arrays.equals(client.get(DATA).body(), body)).isTrue();
  }
}

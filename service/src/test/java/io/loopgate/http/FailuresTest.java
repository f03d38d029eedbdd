package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What clients are told when the device or the file system fails. */
final class FailuresTest {
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
  void aReadErrorNamesOffsetAndErrno() throws Exception {
    server.faults("v").failAt(BlockOp.READ, 8192, Errno.EIO);
    Answer answer = client.get(DATA, "Range: bytes=8192-8703");
    assertThat(answer.problem()).isEqualTo("500 io-error");
    JsonNode problem = answer.json();
    assertThat(problem.get("offset").longValue()).isEqualTo(8192);
    assertThat(problem.get("errno").asText()).isEqualTo("EIO");
    assertThat(answer.field("content-range")).isEmpty();
    assertThat(client.get(DATA, "Range: bytes=0-511").status()).isEqualTo(206);
  }

  @Test
  void aWriteErrorNamesOffsetAndErrnoAndRaisesTheSequence() throws Exception {
    server.faults("v").failAll(BlockOp.WRITE, Errno.EIO);
    String before = client.call("HEAD", DATA).field("etag");
    Answer answer = client.put(DATA + "?offset=1024", bytes(512, 1));
    assertThat(answer.problem()).isEqualTo("500 io-error");
    assertThat(answer.json().get("offset").longValue()).isEqualTo(1024);
    assertThat(client.call("HEAD", DATA).field("etag")).isNotEqualTo(before);
    server.faults("v").heal();
    assertThat(client.put(DATA + "?offset=1024", bytes(512, 1)).status()).isEqualTo(200);
  }

  @Test
  void withoutSpaceReadsGoOnAndALaterWriteWorks() throws Exception {
    byte[] old = bytes(512, 2);
    assertThat(client.put(DATA, old).status()).isEqualTo(200);
    server.faults("v").failAll(BlockOp.WRITE, Errno.ENOSPC);
    Answer full = client.put(DATA + "?offset=512", bytes(512, 3));
    assertThat(full.problem()).isEqualTo("507 no-space");
    assertThat(full.json().get("errno").asText()).isEqualTo("ENOSPC");
    assertThat(client.get(DATA, "Range: bytes=0-511").body()).isEqualTo(old);
    server.faults("v").heal();
    assertThat(client.put(DATA + "?offset=512", bytes(512, 3)).status()).isEqualTo(200);
  }

  @Test
  void aFileShrunkBeneathIsAnErrorAndTheServerLives() throws Exception {
    try (FileChannel file = FileChannel.open(server.file("v"), StandardOpenOption.WRITE)) {
      file.truncate(SIZE / 2);
    }
    Answer answer = client.get(DATA, "Range: bytes=" + SIZE / 2 + "-");
    assertThat(answer.problem()).isEqualTo("500 backing-truncated");
    assertThat(answer.json().get("offset").longValue()).isEqualTo(SIZE / 2);
    assertThat(client.get(DATA, "Range: bytes=0-511").status()).isEqualTo(206);
    assertThat(client.get("/v1/volumes/v/checksum").problem()).isEqualTo("500 backing-truncated");
    assertThat(client.get("/v1/volumes/v/checksum?blockSizeBytes=4096").problem())
        .isEqualTo("500 backing-truncated");
    Answer extents = client.get("/v1/volumes/v/extents?start=" + SIZE / 2);
    assertThat(extents.json().get("extents").get(0).get("zero").asBoolean()).isFalse();
  }

  @Test
  void anErrorAmidAnAnswerBreaksTheConnection() throws Exception {
    server.faults("v").failAt(BlockOp.READ, SIZE - 1, Errno.EIO);
    client.send(RawConnection.head("GET", DATA));
    Answer head = client.receiveHead();
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.field("content-length")).isEqualTo(Integer.toString(SIZE));
    assertThat(client.drain()).isLessThan(SIZE);
  }

  @Test
  void shortTransfersAreContinued() throws Exception {
    server.faults("v").shortenTo(1000);
    byte[] body = bytes(100_000, 4);
    assertThat(client.put(DATA + "?offset=77", body).status()).isEqualTo(200);
    assertThat(client.get(DATA, "Range: bytes=77-100076").body()).isEqualTo(body);
  }

  @Test
  void aFailedFlushPoisonsWritesAndNotReads() throws Exception {
    byte[] old = bytes(512, 5);
    assertThat(client.put(DATA, old).status()).isEqualTo(200);
    server.faults("v").failNth(BlockOp.FLUSH, 1, Errno.EIO);
    assertThat(client.put(DATA + "?offset=512", bytes(512, 6)).problem()).isEqualTo("500 poisoned");
    // The device is well again; what it lost is not.
    for (String target : new String[] {DATA, DATA + "?flush=n", "/v1/objects/v_0_512"}) {
      assertThat(client.put(target, old).problem()).isEqualTo("500 poisoned");
    }
    assertThat(client.put("/v1/volumes/v/blocks/0", old).problem()).isEqualTo("500 poisoned");
    assertThat(client.call("DELETE", "/v1/volumes/v/blocks/0").problem()).isEqualTo("500 poisoned");
    assertThat(client.call("POST", "/v1/volumes/v/flush").problem()).isEqualTo("500 poisoned");
    for (String op : new String[] {"zero", "discard", "flush"}) {
      assertThat(
              client
                  .json("PATCH", DATA, "{\"op\":\"" + op + "\",\"offset\":0,\"size\":512}")
                  .problem())
          .isEqualTo("500 poisoned");
    }
    assertThat(client.get(DATA, "Range: bytes=0-511").body()).isEqualTo(old);
    assertThat(client.get("/v1/volumes/v").json().get("poisoned").asBoolean()).isTrue();
  }

  @Test
  void aFailedZeroIsAnErrorWithItsOffset() throws Exception {
    server.faults("v").failAll(BlockOp.ZERO, Errno.EIO);
    Answer answer = client.json("PATCH", DATA, "{\"op\":\"zero\",\"offset\":512,\"size\":512}");
    assertThat(answer.problem()).isEqualTo("500 io-error");
    assertThat(answer.json().get("offset").longValue()).isEqualTo(512);
  }

  @Test
  void aChecksumOfUnreadableBytesIsAnError() throws Exception {
    client.put(DATA, bytes(SIZE, 7));
    server.faults("v").failAll(BlockOp.READ, Errno.EIO);
    Answer answer = client.get("/v1/volumes/v/checksum");
    assertThat(answer.problem()).isEqualTo("500 io-error");
    assertThat(answer.json().get("errno").asText()).isEqualTo("EIO");
    assertThat(answer.json().get("offset").isNumber()).isTrue();
  }
}

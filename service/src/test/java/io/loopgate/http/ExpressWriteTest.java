package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.engine.EngineOptions;
import io.loopgate.layer.NowaitMode;
import io.loopgate.telemetry.RequestKind;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes by the express way do and say what those through Vert.x do and say. */
class ExpressWriteTest {
  /** A field that has no meaning here, and so keeps a request off the express way. */
  private static final String OTHER_WAY = "X-Other: 1";

  private static final List<String> IDS = List.of("v", "now", "direct", "writeback");

  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    server.open(at("now", NowaitMode.AUTO, DirectIo.AUTO, Durability.DURABLE));
    server.open(at("direct", NowaitMode.OFF, DirectIo.ON, Durability.DURABLE));
    server.open(at("writeback", NowaitMode.AUTO, DirectIo.AUTO, Durability.WRITEBACK));
    client = server.connect();
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private VolumeSettings at(String id, NowaitMode nowait, DirectIo direct, Durability durability) {
    return new VolumeSettings(
        id,
        server.file(id).toString(),
        "workers:2",
        EngineOptions.DEFAULT,
        nowait,
        direct,
        false,
        durability,
        512,
        AlignmentPolicy.ANY,
        VolumeLimits.DEFAULT);
  }

  private static String data(String id) {
    return "/v1/volumes/" + id + "/data";
  }

  private static String range(long first, long length, Object total) {
    return "Content-Range: bytes " + first + "-" + (first + length - 1) + "/" + total;
  }

  private long express() {
    return server.telemetry().expressed(RequestKind.WRITE);
  }

  @Test
  void anAnswerIsTheSameOnBothWaysAndTheBytesAreThere() throws Exception {
    Random random = new Random(5);
    for (String id : IDS) {
      for (int i = 0; i < 60; i++) {
        int length = 512 * random.nextInt(1, 120);
        int first = 512 * random.nextInt((SIZE - length) / 512);
        byte[] here = bytes(length, i);
        byte[] there = bytes(length, i + 1000);
        String query = List.of("", "?flush=n", "?flush=y").get(random.nextInt(3));
        String range = range(first, length, random.nextBoolean() ? "*" : SIZE);
        long before = express();
        Answer fast = client.put(data(id) + query, here, range);
        assertThat(express() - before).as("%s %s %d", id, range, i).isEqualTo(1);
        assertThat(read(id, first, length)).isEqualTo(here);
        Answer slow = client.put(data(id) + query, there, range, OTHER_WAY);
        assertThat(express() - before).isEqualTo(1);
        assertThat(read(id, first, length)).isEqualTo(there);
        assertSame(fast, slow);
      }
    }
  }

  private byte[] read(String id, long first, long length) throws IOException {
    return client.get(data(id), "Range: bytes=" + first + "-" + (first + length - 1)).body();
  }

  /** All but the numbers that rise with each change. */
  private static void assertSame(Answer fast, Answer slow) {
    assertThat(fast.status()).isEqualTo(200).isEqualTo(slow.status());
    Set<String> names = new HashSet<>(fast.fields().keySet());
    assertThat(names).isEqualTo(slow.fields().keySet());
    names.removeAll(Set.of("date", "etag", "block-sequence"));
    for (String name : names) {
      assertThat(fast.fields().get(name)).as(name).isEqualTo(slow.fields().get(name));
    }
    assertThat(fast.field("etag")).endsWith("-" + fast.field("block-sequence") + "\"");
    assertThat(fast.field("date")).hasSameSizeAs(slow.field("date"));
    assertThat(Long.parseLong(fast.field("block-sequence")))
        .isLessThan(Long.parseLong(slow.field("block-sequence")));
  }

  @Test
  void thePlaceMayBeInTheQuery() throws Exception {
    byte[] content = bytes(1024, 3);
    long before = express();
    assertThat(client.put(DATA + "?offset=2048", content).status()).isEqualTo(200);
    assertThat(client.put(DATA + "?flush=n&offset=4096", content).status()).isEqualTo(200);
    assertThat(client.put(DATA + "?offset=8192&flush=y", content).status()).isEqualTo(200);
    assertThat(express() - before).isEqualTo(3);
    for (long offset : new long[] {2048, 4096, 8192}) {
      assertThat(read("v", offset, 1024)).isEqualTo(content);
    }
  }

  private long flushes(String id) {
    return server.volume(id).telemetry().commands(BlockOp.FLUSH);
  }

  @ParameterizedTest
  @CsvSource({
    "'', y, true",
    "'?flush=n', y, false",
    "'?flush=y', y, true",
    "'', n, false",
    "'?flush=y', n, true",
  })
  void aWriteIsAsDurableAsItWasAskedFor(String query, String byDefault, boolean durable)
      throws Exception {
    String id = byDefault.equals("y") ? "now" : "writeback";
    long flushes = flushes(id);
    Answer answer = client.put(data(id) + query, bytes(512, 1), range(0, 512, "*"));
    assertThat(answer.field("block-durable")).isEqualTo(Boolean.toString(durable));
    assertThat(flushes(id) - flushes).isEqualTo(durable ? 1 : 0);
    assertThat(express()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Range: bytes 0-511/999",
        "Content-Range: bytes 0-510/*",
        "Content-Range: bytes 9000000-9000511/*",
        "Content-Range: bytes */*",
        "Range: bytes=0-511",
      })
  void whatIsWrongIsToldByTheOtherWay(String field) throws Exception {
    Answer answer = client.put(DATA, bytes(512, 1), field);
    assertThat(answer.status()).isBetween(400, 416);
    assertThat(answer.json().get("detail").asText()).isNotEmpty();
    assertThat(express()).isZero();
    assertThat(client.put(DATA, bytes(512, 1), range(0, 512, "*")).status()).isEqualTo(200);
    assertThat(express()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"If-Match: *", "Content-Digest: sha-256=:AA==:", "X-Request-Id: a"})
  void whatAsksForMoreIsForTheOtherWay(String field) throws Exception {
    client.put(DATA, bytes(512, 1), range(0, 512, "*"), field);
    assertThat(express()).isZero();
  }

  @Test
  void aWriteThatFailsSaysWhy() throws Exception {
    server.faults("v").failAll(BlockOp.WRITE, Errno.ENOSPC);
    Answer failed = client.put(DATA, bytes(512, 1), range(0, 512, "*"));
    assertThat(failed.status()).isEqualTo(507);
    assertThat(failed.json().get("detail").asText()).contains("ENOSPC");
    server.faults("v").heal();
    assertThat(client.put(DATA, bytes(512, 1), range(0, 512, "*")).status()).isEqualTo(200);
    server.awaitQuiet();
  }

  @Test
  void aFlushThatFailsPoisonsAndSaysSo() throws Exception {
    server.faults("v").failAll(BlockOp.FLUSH, Errno.EIO);
    Answer failed = client.put(DATA, bytes(512, 1), range(0, 512, "*"));
    assertThat(failed.problem()).isEqualTo("500 poisoned");
    server.faults("v").heal();
    assertThat(client.put(DATA, bytes(512, 1), range(0, 512, "*")).problem())
        .isEqualTo("500 poisoned");
    assertThat(express()).isZero();
    server.awaitQuiet();
  }

  @Test
  void aBodyInPiecesIsGathered() throws Exception {
    byte[] content = bytes(60 << 10, 9);
    client.send(
        RawConnection.head(
            "PUT", DATA, range(0, content.length, "*"), "Content-Length: " + content.length));
    for (int at = 0; at < content.length; at += 7000) {
      client.send(Arrays.copyOfRange(content, at, Math.min(content.length, at + 7000)));
      eventually(
          "under way, or answered", () -> server.telemetry().inFlight() == 1 || express() == 1);
    }
    assertThat(client.receive("PUT").status()).isEqualTo(200);
    assertThat(express()).isEqualTo(1);
    assertThat(read("v", 0, content.length)).isEqualTo(content);
  }

  @Test
  void aBodyThatStandsStillIsToldSo() throws Exception {
    try (TestServer strict = new TestServer.Bounds().stallTimeout(Duration.ofMillis(400)).start();
        RawConnection stalling = strict.connect()) {
      strict.open("v");
      stalling.send(RawConnection.head("PUT", DATA, range(0, 4096, "*"), "Content-Length: 4096"));
      stalling.send(bytes(1000, 1));
      Answer answer = stalling.receive("PUT");
      assertThat(answer.problem()).isEqualTo("408 request-timeout");
      assertThat(answer.json().get("detail").asText()).contains("1000 bytes");
      strict.awaitQuiet();
      assertThat(strict.telemetry().heldBytes()).isZero();
    }
  }

  @Test
  void aClientThatLeavesInTheMiddleOfABodyLeavesNothingBehind() throws Exception {
    RawConnection leaving = server.connect();
    leaving.send(RawConnection.head("PUT", DATA, range(0, 4096, "*"), "Content-Length: 4096"));
    leaving.send(bytes(1000, 1));
    eventually("begun", () -> server.telemetry().inFlight() == 1);
    leaving.close();
    server.awaitQuiet();
    assertThat(server.telemetry().heldBytes()).isZero();
    assertThat(express()).isZero();
  }

  @Test
  void aClientThatLeavesDuringAWriteHasWritten() throws Exception {
    byte[] content = bytes(4096, 8);
    Gate gate = server.faults("v").hold();
    RawConnection leaving = server.connect();
    leaving.send(RawConnection.head("PUT", DATA, range(0, 4096, "*"), "Content-Length: 4096"));
    leaving.send(content);
    gate.awaitWaiting(1);
    leaving.close();
    eventually("it has left", () -> server.telemetry().openConnections() == 1);
    gate.release();
    server.awaitQuiet();
    assertThat(server.telemetry().heldBytes()).isZero();
    assertThat(read("v", 0, 4096)).isEqualTo(content);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "PUT"})
  void whatIsUnderWayAtAShutdownIsAnswered(String method) throws Exception {
    Gate gate = server.faults("v").hold();
    boolean put = method.equals("PUT");
    String range = put ? range(0, 512, "*") : "Range: bytes=0-511";
    client.send(
        RawConnection.head(method, DATA, range, put ? "Content-Length: 512" : "Accept: */*"));
    client.send(put ? bytes(512, 1) : new byte[0]);
    gate.awaitWaiting(1);
    var shutdowns = server.shutdown(Duration.ofSeconds(20));
    gate.release();
    assertThat(client.receive(method).status()).isEqualTo(put ? 200 : 206);
    for (var shutdown : shutdowns) {
      shutdown.await(20, TimeUnit.SECONDS);
    }
  }
}

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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes by the express way is answered as it would be by Vert.x, in order, and bounded. */
class ExpressTest {
  /** A field that has no meaning here, and so keeps a request off the express way. */
  private static final String OTHER_WAY = "X-Other: 1";

  private final byte[] content = bytes(SIZE, 42);
  private TestServer server;
  private RawConnection client;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    server.open(at("now", NowaitMode.AUTO, DirectIo.AUTO));
    server.open(at("direct", NowaitMode.OFF, DirectIo.ON));
    client = server.connect();
    for (String id : List.of("v", "now", "direct")) {
      assertThat(client.put(data(id), content).status()).isEqualTo(200);
    }
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    server.close();
  }

  private VolumeSettings at(String id, NowaitMode nowait, DirectIo direct) {
    return new VolumeSettings(
        id,
        server.file(id).toString(),
        "workers:2",
        EngineOptions.DEFAULT,
        nowait,
        direct,
        false,
        Durability.DURABLE,
        512,
        AlignmentPolicy.ANY,
        VolumeLimits.DEFAULT);
  }

  private static String data(String id) {
    return "/v1/volumes/" + id + "/data";
  }

  private static String range(long first, long last) {
    return "Range: bytes=" + first + "-" + last;
  }

  private long express() {
    return server.telemetry().expressed(RequestKind.READ);
  }

  private static Map<String, List<String>> lasting(Answer answer) {
    Map<String, List<String>> fields = new HashMap<>(answer.fields());
    fields.remove("date");
    return fields;
  }

  @Test
  void anAnswerIsTheSameOnBothWays() throws Exception {
    Random random = new Random(7);
    for (String id : List.of("v", "now", "direct")) {
      for (int i = 0; i < 200; i++) {
        int first = random.nextInt(SIZE);
        long last = (long) first + random.nextInt(random.nextBoolean() ? 600 : 200_000);
        long before = express();
        Answer here = client.get(data(id), range(first, last));
        assertThat(express() - before).as("%s %d %d-%d", id, i, first, last).isEqualTo(1);
        Answer there = client.get(data(id), range(first, last), OTHER_WAY);
        assertThat(express() - before).isEqualTo(1);
        assertThat(here.status()).isEqualTo(206).isEqualTo(there.status());
        assertThat(lasting(here)).isEqualTo(lasting(there));
        assertThat(here.field("date")).hasSameSizeAs(there.field("date"));
        int end = (int) Math.min(SIZE, last + 1);
        assertThat(here.body()).isEqualTo(Arrays.copyOfRange(content, first, end));
        assertThat(there.body()).isEqualTo(here.body());
      }
    }
  }

  @Test
  void theTagIsThatOfTheContentRead() throws Exception {
    String before = client.get(DATA, range(0, 9)).field("etag");
    assertThat(client.get(DATA, range(0, 9)).field("etag")).isEqualTo(before);
    byte[] other = bytes(512, 1);
    Answer put = client.put(DATA, other, "Content-Range: bytes 0-511/*");
    Answer after = client.get(DATA, range(0, 511));
    assertThat(after.field("etag")).isNotEqualTo(before).isEqualTo(put.field("etag"));
    assertThat(after.body()).isEqualTo(other);
  }

  @Test
  void whatCannotBeServedIsAnsweredByTheOtherWay() throws Exception {
    long before = express();
    assertThat(client.get(data("none"), range(0, 1), "Accept: application/json").problem())
        .isEqualTo("404 no-such-volume");
    assertThat(client.get(DATA, range(SIZE, SIZE + 1), "Accept: application/json").status())
        .isEqualTo(416);
    assertThat(client.get(DATA, range(0, SIZE)).body()).isEqualTo(content);
    assertThat(express()).isEqualTo(before);
    assertThat(client.get(DATA, range(0, 1)).status()).isEqualTo(206);
  }

  @Test
  void aReadThatFailsSaysWhy() throws Exception {
    server.faults("v").failAll(BlockOp.READ, Errno.EIO);
    Answer failed = client.get(DATA, range(0, 511));
    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.json().get("detail").asText()).contains("EIO");
    server.faults("v").heal();
    assertThat(client.get(DATA, range(0, 511)).status()).isEqualTo(206);
  }

  @Test
  void requestsOfAllKindsInOneRowAreAnsweredInTheirOrder() throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 30; round++) {
      List<Expected> expected = new ArrayList<>();
      ByteArrayOutputStream row = new ByteArrayOutputStream();
      for (int i = 0; i < 40; i++) {
        expected.add(add(row, random));
      }
      sendInPieces(row.toByteArray(), random);
      for (Expected each : expected) {
        Answer answer = client.receive(each.method);
        assertThat(answer.status()).isEqualTo(each.status);
        if (each.method.equals("GET")) {
          assertThat(answer.body()).isEqualTo(each.body);
        }
      }
    }
    assertThat(express()).isPositive();
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Expected(String method, int status, byte[] body) {}

  private Expected add(ByteArrayOutputStream row, Random random) {
    String id = List.of("v", "now", "direct").get(random.nextInt(3));
    int first = random.nextInt(SIZE - 4096) / 512 * 512;
    int length = random.nextInt(1, 4096);
    byte[] part = Arrays.copyOfRange(content, first, first + length);
    String range = range(first, first + length - 1);
    int kind = random.nextInt(6);
    if (kind == 0) {
      row.writeBytes(ascii(RawConnection.head("HEAD", data(id), range)));
      return new Expected("HEAD", 206, part);
    }
    if (kind == 1) {
      String place = "Content-Range: bytes " + first + "-" + (first + length - 1) + "/*";
      row.writeBytes(
          ascii(RawConnection.head("PUT", data(id), place, "Content-Length: " + length)));
      row.writeBytes(part);
      return new Expected("PUT", 200, part);
    }
    String head =
        kind == 2
            ? RawConnection.head("GET", data(id), range, OTHER_WAY)
            : RawConnection.head("GET", data(id), range);
    row.writeBytes(ascii(head));
    return new Expected("GET", 206, part);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void sendInPieces(byte[] all, Random random) throws IOException {
    int at = 0;
    while (at < all.length) {
      int length =
          random.nextInt(4) == 0
              ? Math.min(all.length - at, random.nextInt(1, 20_000))
              : all.length - at;
      client.send(Arrays.copyOfRange(all, at, at + length));
      at += length;
    }
  }

  @Test
  void aClientThatTakesNothingIsHeldBackAndThenServed() throws Exception {
    int reads = 600;
    int length = 64 << 10;
    try (RawConnection slow = new RawConnection(server.port(), 8 << 10)) {
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < reads; i++) {
                        slow.send(RawConnection.head("GET", data("now"), range(0, length - 1)));
                      }
                    } catch (IOException e) {
                      throw new AssertionError(e);
                    }
                  });
      eventually("some wait to be taken", () -> server.telemetry().heldBytes() >= length);
      for (int i = 0; i < reads; i++) {
        assertThat(slow.receive("GET").body()).isEqualTo(Arrays.copyOf(content, length));
        assertThat(server.telemetry().heldBytes()).isLessThan(1 << 20);
      }
      sender.join();
    }
  }

  @Test
  void aClientThatLeavesDuringAReadLeavesNothingBehind() throws Exception {
    Gate gate = server.faults("v").hold();
    RawConnection leaving = server.connect();
    leaving.send(
        RawConnection.head("GET", DATA, range(0, 511))
            + RawConnection.head("GET", DATA, range(0, 511))
            + RawConnection.head("HEAD", DATA));
    gate.awaitWaiting(1);
    leaving.close();
    eventually("it has left", () -> server.telemetry().openConnections() == 1);
    gate.release();
    server.awaitQuiet();
  }

  @Test
  void connectionsCountFromTheMomentTheyAreAccepted() throws Exception {
    try (RawConnection silent = server.connect()) {
      eventually("counted", () -> server.telemetry().openConnections() == 2);
      assertThat(silent.get(DATA, range(0, 1)).status()).isEqualTo(206);
    }
    eventually("counted out", () -> server.telemetry().openConnections() == 1);
  }

  @Test
  void whoDripsAHeadIsClosedAsWhoSaysNothing() throws Exception {
    try (TestServer strict = new TestServer.Bounds().idleTimeout(Duration.ofMillis(600)).start();
        RawConnection dripping = strict.connect()) {
      strict.open("v");
      eventually(
          "closed, drip or not",
          () -> {
            try {
              dripping.send("G");
              return strict.telemetry().openConnections() == 0;
            } catch (IOException closed) {
              return true;
            }
          });
    }
  }
}

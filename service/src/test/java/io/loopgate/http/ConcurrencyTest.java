package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.block.BlockOp;
import io.loopgate.telemetry.LoopTelemetry;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Writers at the same time, and what durability costs them. */
final class ConcurrencyTest {
  private final List<RawConnection> connections = new ArrayList<>();
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    for (RawConnection connection : connections) {
      connection.close();
    }
    server.close();
  }

  private RawConnection connect() throws IOException {
    RawConnection connection = server.connect();
    connections.add(connection);
    return connection;
  }

  @Test
  void ofTwoWritersWithOneTagOneWins() throws Exception {
    RawConnection first = connect();
    RawConnection second = connect();
    for (int round = 0; round < 30; round++) {
      String ifMatch = "If-Match: " + first.call("HEAD", DATA).field("etag");
      byte[] one = bytes(512, 2L * round);
      byte[] two = bytes(512, 2L * round + 1);
      first.sendBody("PUT", DATA, one, ifMatch);
      second.sendBody("PUT", DATA, two, ifMatch);
      int firstStatus = first.receive("PUT").status();
      int secondStatus = second.receive("PUT").status();
      assertThat(List.of(firstStatus, secondStatus)).containsExactlyInAnyOrder(200, 412);
      assertThat(first.get(DATA, "Range: bytes=0-511").body())
          .isEqualTo(firstStatus == 200 ? one : two);
    }
  }

  @Test
  void aTagTakenBeforeAWriteDoesNotOutliveIt() throws Exception {
    RawConnection writer = connect();
    RawConnection other = connect();
    Gate gate = server.faults("v").hold(request -> request.op() == BlockOp.WRITE);
    String before = other.call("HEAD", DATA).field("etag");
    writer.sendBody("PUT", DATA, bytes(512, 1));
    gate.awaitWaiting(1);
    String during = other.call("HEAD", DATA).field("etag");
    assertThat(during).isNotEqualTo(before);
    gate.release();
    String after = writer.receive("PUT").field("etag");
    assertThat(after).isNotIn(before, during);
    assertThat(other.call("HEAD", DATA).field("etag")).isEqualTo(after);
    assertThat(other.get(DATA, "Range: bytes=0-0", "If-Range: " + during).status()).isEqualTo(200);
  }

  @Test
  void durableWritesShareFlushes() throws Exception {
    AtomicInteger flushes = new AtomicInteger();
    server
        .faults("v")
        .fail(
            request -> {
              if (request.op() == BlockOp.FLUSH) {
                flushes.incrementAndGet();
              }
              return false;
            },
            1,
            1,
            1);
    Gate gate = server.faults("v").hold(request -> request.op() == BlockOp.FLUSH);
    RawConnection first = connect();
    first.sendBody("PUT", DATA, bytes(512, 1));
    gate.awaitWaiting(1);
    List<RawConnection> others = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      RawConnection other = connect();
      other.sendBody("PUT", DATA + "?offset=" + 512 * (i + 1), bytes(512, i));
      others.add(other);
    }
    eventually("all were written", () -> server.faults("v").executed() >= 18);
    eventually("no command is left but the flush", () -> commands() == 1);
    gate.release();
    assertThat(first.receive("PUT").field("block-durable")).isEqualTo("true");
    for (RawConnection other : others) {
      assertThat(other.receive("PUT").field("block-durable")).isEqualTo("true");
    }
    assertThat(flushes.get()).isBetween(2, 4);
  }

  private int commands() {
    return server.telemetry().loops().stream().mapToInt(LoopTelemetry::commands).sum();
  }

  @Test
  void writebackIsDurableAfterTheNextFlush() throws Exception {
    server.open(
        server.settings("wb", Durability.WRITEBACK, AlignmentPolicy.ANY, VolumeLimits.DEFAULT));
    AtomicInteger flushes = new AtomicInteger();
    RawConnection client = connect();
    String data = "/v1/volumes/wb/data";
    server
        .faults("wb")
        .fail(request -> request.op() == BlockOp.FLUSH && flushes.incrementAndGet() < 0, 1, 1, 1);
    assertThat(client.put(data, bytes(512, 1)).field("block-durable")).isEqualTo("false");
    assertThat(client.call("DELETE", "/v1/volumes/wb/blocks/0").field("block-durable"))
        .isEqualTo("false");
    assertThat(flushes.get()).isZero();
    Answer flushed = client.call("POST", "/v1/volumes/wb/flush");
    assertThat(flushed.field("block-durable")).isEqualTo("true");
    assertThat(flushed.field("block-sequence"))
        .isEqualTo(Long.toString(server.volume("wb").currentSequence()));
    assertThat(flushes.get()).isEqualTo(1);
    assertThat(client.put(data + "?flush=y", bytes(512, 1)).field("block-durable"))
        .isEqualTo("true");
    assertThat(flushes.get()).isEqualTo(2);
    Answer zeroed =
        client.json("PATCH", data, "{\"op\":\"zero\",\"offset\":0,\"size\":512,\"flush\":true}");
    assertThat(zeroed.field("block-durable")).isEqualTo("true");
    assertThat(flushes.get()).isEqualTo(3);
  }

  @Test
  void aWriteIsNotAnsweredBeforeItsFlush() throws Exception {
    Gate gate = server.faults("v").hold(request -> request.op() == BlockOp.FLUSH);
    RawConnection client = connect();
    RawConnection other = connect();
    client.sendBody("PUT", DATA, bytes(512, 1));
    gate.awaitWaiting(1);
    assertThat(other.put(DATA + "?flush=n&offset=512", bytes(512, 2)).field("block-durable"))
        .isEqualTo("false");
    eventually("only the first is inside", () -> server.volume("v").inFlight() == 1);
    gate.release();
    assertThat(client.receive("PUT").field("block-durable")).isEqualTo("true");
  }
}

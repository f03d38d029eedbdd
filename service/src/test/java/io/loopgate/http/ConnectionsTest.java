package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When connections are closed, and when not. */
final class ConnectionsTest {
  private static final Duration SHORT = Duration.ofMillis(300);

  @Test
  void anIdleConnectionIsClosedAndABusyOneIsNot() throws Exception {
    try (TestServer server = new TestServer.Bounds().idleTimeout(SHORT).start()) {
      server.open("v");
      Gate gate = server.faults("v").hold();
      try (RawConnection silent = server.connect();
          RawConnection idle = server.connect();
          RawConnection half = server.connect();
          RawConnection busy = server.connect()) {
        busy.send(RawConnection.head("GET", DATA, "Range: bytes=0-511"));
        gate.awaitWaiting(1);
        assertThat(idle.get("/v1").status()).isEqualTo(200);
        half.send("GET /v1 HT");
        assertThat(silent.isClosedByPeer()).isTrue();
        assertThat(idle.isClosedByPeer()).isTrue();
        assertThat(half.isClosedByPeer()).isTrue();
        gate.release();
        assertThat(busy.receive("GET").status()).isEqualTo(206);
        assertThat(busy.isClosedByPeer()).isTrue();
      }
    }
  }

  @Test
  void moreClientsThanAllowedAreClosedAtOnce() throws Exception {
    try (TestServer server = new TestServer.Bounds().maxConnections(2).start()) {
      server.open("v");
      RawConnection first = server.connect();
      try (RawConnection second = server.connect()) {
        assertThat(first.get("/v1").status()).isEqualTo(200);
        assertThat(second.get("/v1").status()).isEqualTo(200);
        try (RawConnection third = server.connect()) {
          third.send(RawConnection.head("GET", "/v1"));
          assertThat(third.isClosedByPeer()).isTrue();
        }
        first.close();
        eventually("room again", () -> server.telemetry().openConnections() == 1);
        try (RawConnection third = server.connect()) {
          assertThat(third.get("/v1").status()).isEqualTo(200);
        }
      }
    }
  }

  @Test
  void aSlowReaderIsCutAndTakesLittleMemory() throws Exception {
    try (TestServer server = new TestServer.Bounds().stallTimeout(SHORT).start()) {
      server.open(server.settings("huge"), 64L << 20);
      try (RawConnection slow = new RawConnection(server.port(), 4096)) {
        slow.send(RawConnection.head("GET", "/v1/volumes/huge/data"));
        assertThat(slow.receiveHead().status()).isEqualTo(200);
        eventually("its queue is full", () -> server.telemetry().heldBytes() >= 512 << 10);
        assertThat(server.telemetry().heldBytes()).isLessThanOrEqualTo(1 << 20);
        eventually("it was cut", () -> server.telemetry().stalledTransfers() == 1);
        eventually("its memory came back", () -> server.telemetry().heldBytes() == 0);
        assertThat(slow.drain()).isLessThan(64L << 20);
      }
    }
  }

  @Test
  void aSlowWriterIsToldSoOrCut() throws Exception {
    try (TestServer server = new TestServer.Bounds().stallTimeout(SHORT).start()) {
      server.open("v");
      try (RawConnection slow = server.connect()) {
        slow.send(RawConnection.head("PUT", DATA, "Content-Length: 1000"));
        slow.send(bytes(10, 1));
        assertThat(slow.receive("PUT").problem()).isEqualTo("408 request-timeout");
        assertThat(slow.isClosedByPeer()).isTrue();
        assertThat(server.telemetry().stalledTransfers()).isEqualTo(1);
      }
      try (RawConnection slow = server.connect()) {
        slow.send(
            RawConnection.head(
                "PATCH", DATA, "Content-Type: application/json", "Content-Length: 1000"));
        assertThat(slow.drain()).isNotNegative();
      }
      assertThat(server.faults("v").executed()).isZero();
    }
  }

  @Test
  void aClientThatWaitsForASlowDiskIsNotToBlame() throws Exception {
    try (TestServer server = new TestServer.Bounds().stallTimeout(SHORT).start()) {
      server.open("v");
      Gate gate = server.faults("v").hold();
      try (RawConnection client = server.connect();
          RawConnection slow = server.connect()) {
        client.sendBody("PUT", DATA, bytes(SIZE, 1));
        gate.awaitWaiting(1);
        // Somebody who does stand still is cut meanwhile.
        slow.send(RawConnection.head("PUT", DATA, "Content-Length: 10"));
        assertThat(slow.receive("PUT").status()).isEqualTo(408);
        gate.release();
        assertThat(client.receive("PUT").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void whileDrainingNewRequestsAreSentElsewhereAndOldOnesEnd() throws Exception {
    try (TestServer server = TestServer.start()) {
      Gate gate = server.faults("v").hold();
      try (RawConnection running = server.connect();
          RawConnection late = server.connect();
          RawConnection writer = server.connect()) {
        running.send(RawConnection.head("GET", DATA, "Range: bytes=0-511"));
        gate.awaitWaiting(1);
        assertThat(late.get("/v1").status()).isEqualTo(200);
        server.plane().draining().set(true);
        Answer answer = late.get(DATA);
        assertThat(answer.problem()).isEqualTo("503 draining");
        assertThat(answer.field("connection")).isEqualToIgnoringCase("close");
        assertThat(answer.field("retry-after")).isNotEmpty();
        assertThat(late.isClosedByPeer()).isTrue();
        assertThat(writer.put(DATA, bytes(512, 1)).problem()).isEqualTo("503 draining");
        gate.release();
        assertThat(running.receive("GET").status()).isEqualTo(206);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"20000, 0, 414", "0, 20000, 431", "0, 300000, 431", "10000, 2000, 404"})
  void longHeadsAreRefused(int path, int field, int status) throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      client.send(
          RawConnection.head("GET", "/" + "p".repeat(path), "X-Long: " + "x".repeat(field)));
      Answer answer = client.receive("GET");
      assertThat(answer.status()).isEqualTo(status);
      if (status != 404) {
        assertThat(client.drain()).isNotNegative();
      }
      try (RawConnection other = server.connect()) {
        assertThat(other.get("/v1").status()).isEqualTo(200);
      }
    }
  }

  @Test
  void requestsThatMayMeanTwoThingsAreRefused() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      client.send("GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
      assertThat(client.receive("GET").problem()).isEqualTo("400 bad-request");
      client.send("GET /v1 HTTP/1.1\r\n\r\n");
      assertThat(client.receive("GET").problem()).isEqualTo("400 bad-request");
      client.send(RawConnection.head("PUT", DATA, "Expect: 200-ok", "Content-Length: 0"));
      assertThat(client.receive("PUT").problem()).isEqualTo("417 expectation-failed");
      client.send(RawConnection.head("PUT", DATA, "Transfer-Encoding: gzip, chunked"));
      assertThat(client.receive("PUT").problem()).isEqualTo("501 not-implemented");
      assertThat(client.isClosedByPeer()).isTrue();
    }
  }
}

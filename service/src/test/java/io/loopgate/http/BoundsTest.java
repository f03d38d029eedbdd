package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.block.BlockOp;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything is bounded, and every bound has its answer. */
final class BoundsTest {
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void open(String id, VolumeLimits limits) {
    server.open(server.settings(id, Durability.DURABLE, AlignmentPolicy.ANY, limits));
  }

  @Test
  void moreRequestsThanAVolumeTakesAreTurnedAway() throws Exception {
    open("two", new VolumeLimits(2, 0, 0));
    String data = "/v1/volumes/two/data";
    Gate gate = server.faults("two").hold();
    try (RawConnection first = server.connect();
        RawConnection second = server.connect();
        RawConnection third = server.connect()) {
      first.send(RawConnection.head("GET", data, "Range: bytes=0-511"));
      second.sendBody("PUT", data, bytes(512, 1));
      gate.awaitWaiting(2);
      for (int i = 0; i < 2; i++) {
        Answer turnedAway = third.get(data, "Range: bytes=0-0");
        assertThat(turnedAway.problem()).isEqualTo("503 overloaded");
        assertThat(turnedAway.field("retry-after")).matches("[1-9][0-9]*");
      }
      assertThat(third.put(data, bytes(512, 2)).problem()).isEqualTo("503 overloaded");
      assertThat(third.get(DATA, "Range: bytes=0-0").status()).isEqualTo(206);
      gate.release();
      assertThat(first.receive("GET").status()).isEqualTo(206);
      assertThat(second.receive("PUT").status()).isEqualTo(200);
      eventually("room again", () -> server.volume("two").inFlight() == 0);
      assertThat(third.get(data, "Range: bytes=0-0").status()).isEqualTo(206);
    }
  }

  @Test
  void moreCommandsThanALoopTakesAreTurnedAwayOnEveryVolume() throws Exception {
    try (TestServer small = new TestServer.Bounds().loops(1).maxLoopCommands(2).start()) {
      small.open("v");
      small.open("other");
      String other = "/v1/volumes/other/data";
      Gate gate = small.faults("v").hold();
      try (RawConnection first = small.connect();
          RawConnection second = small.connect();
          RawConnection third = small.connect()) {
        byte[] all = bytes(SIZE, 3);
        first.sendBody("PUT", DATA, all);
        second.send(RawConnection.head("GET", DATA, "Range: bytes=0-511"));
        gate.awaitWaiting(2);
        Answer turnedAway = third.get(other, "Range: bytes=0-0");
        assertThat(turnedAway.problem()).isEqualTo("503 overloaded");
        assertThat(turnedAway.field("retry-after")).matches("[1-9][0-9]*");
        assertThat(third.put(other, bytes(512, 2)).problem()).isEqualTo("503 overloaded");
        assertThat(small.telemetry().loops().getFirst().commandsRefused()).isEqualTo(2);
        assertThat(third.call("POST", "/v1/volumes/other/flush").status()).isEqualTo(200);
        gate.release();
        assertThat(first.receive("PUT").status()).isEqualTo(200);
        assertThat(second.receive("GET").status()).isEqualTo(206);
        assertThat(third.get(DATA).body()).isEqualTo(all);
        assertThat(third.get(other, "Range: bytes=0-0").status()).isEqualTo(206);
      }
      small.awaitQuiet();
      assertThat(small.telemetry().loops().getFirst().commands()).isZero();
    }
  }

  @Test
  void whoUsesUpAQuotaComesBackLater() throws Exception {
    open("slow", new VolumeLimits(100, 1, 0));
    open("thin", new VolumeLimits(100, 0, 512));
    try (RawConnection client = server.connect()) {
      for (String id : new String[] {"slow", "thin"}) {
        String data = "/v1/volumes/" + id + "/data";
        Answer answer = client.put(data, bytes(2048, 1));
        assertThat(answer.status()).isEqualTo(200);
        // A second's worth is there from the start, and the last request may overdraw.
        for (int i = 0; i < 4 && answer.status() == 200; i++) {
          answer = client.put(data, bytes(2048, 1));
        }
        assertThat(answer.problem()).isEqualTo("429 quota");
        assertThat(answer.field("retry-after")).matches("[1-9][0-9]*");
        assertThat(client.get(data, "Range: bytes=0-511").problem()).isEqualTo("429 quota");
        eventually("it left", () -> server.volume(id).inFlight() == 0);
      }
      assertThat(client.get(DATA, "Range: bytes=0-0").status()).isEqualTo(206);
    }
  }

  @Test
  void aDeadlineIsAnsweredInTimeAndTheMemoryComesBackLater() throws Exception {
    Gate gate = server.faults("v").hold();
    try (RawConnection reader = server.connect();
        RawConnection writer = server.connect()) {
      // Once held they have begun: what still waits for a thread at its deadline leaves at once.
      reader.send(RawConnection.head("GET", DATA, "Range: bytes=0-511", "Block-Timeout: 400"));
      gate.awaitWaiting(1);
      writer.sendBody("PUT", DATA, bytes(512, 1), "Block-Timeout: 400");
      gate.awaitWaiting(2);
      assertThat(reader.receive("GET").problem()).isEqualTo("504 deadline-exceeded");
      assertThat(writer.receive("PUT").problem()).isEqualTo("504 deadline-exceeded");
      assertThat(server.telemetry().heldBytes()).isPositive();
      assertThat(server.volume("v").inFlight()).isEqualTo(2);
      gate.release();
      server.awaitQuiet();
      assertThat(reader.get(DATA, "Range: bytes=0-511").status()).isEqualTo(206);
      assertThat(writer.put(DATA, bytes(512, 1)).status()).isEqualTo(200);
    }
  }

  @Test
  void changesWithoutABodyHaveADeadlineToo() throws Exception {
    Gate gate = server.faults("v").hold();
    try (RawConnection flusher = server.connect();
        RawConnection changer = server.connect()) {
      String zero = "{\"op\":\"zero\",\"offset\":0,\"size\":512}";
      assertThat(flusher.call("POST", "/v1/volumes/v/flush", "Block-Timeout: 30").problem())
          .isEqualTo("504 deadline-exceeded");
      assertThat(changer.json("PATCH", DATA, zero, "Block-Timeout: 30").problem())
          .isEqualTo("504 deadline-exceeded");
      assertThat(server.volume("v").inFlight()).isEqualTo(2);
      gate.release();
      server.awaitQuiet();
      assertThat(changer.json("PATCH", DATA, zero).status()).isEqualTo(200);
      assertThat(flusher.call("POST", "/v1/volumes/v/flush").status()).isEqualTo(200);
    }
  }

  @Test
  void workThatIsStillQueuedAtItsDeadlineIsDropped() throws Exception {
    Gate gate = server.faults("v").hold();
    try (RawConnection first = server.connect();
        RawConnection second = server.connect();
        RawConnection late = server.connect()) {
      first.sendBody("PUT", DATA + "?offset=4096", bytes(512, 1));
      second.sendBody("PUT", DATA + "?offset=8192", bytes(512, 1));
      gate.awaitWaiting(2);
      byte[] body = bytes(512, 9);
      assertThat(late.put(DATA, body, "Block-Timeout: 20").problem())
          .isEqualTo("504 deadline-exceeded");
      gate.release();
      assertThat(first.receive("PUT").status()).isEqualTo(200);
      assertThat(second.receive("PUT").status()).isEqualTo(200);
      server.awaitQuiet();
      assertThat(late.get(DATA, "Range: bytes=0-511").body()).isEqualTo(new byte[512]);
    }
  }

  @Test
  void aClientThatLeavesGivesItsMemoryBackWhenTheDeviceHasAnswered() throws Exception {
    Gate gate = server.faults("v").hold();
    try (RawConnection leaver = server.connect()) {
      leaver.send(RawConnection.head("GET", DATA, "Block-Timeout: 60000"));
      gate.awaitWaiting(1);
      leaver.reset();
    }
    try (RawConnection leaver = server.connect()) {
      leaver.sendBody("PUT", DATA, bytes(SIZE, 1));
      gate.awaitWaiting(2);
      leaver.reset();
    }
    eventually("both are gone", () -> server.telemetry().openConnections() == 0);
    assertThat(server.telemetry().heldBytes()).isPositive();
    gate.release();
    server.awaitQuiet();
  }

  @Test
  void aBlockTimeoutIsAPositiveNumberOfMilliseconds() throws Exception {
    try (RawConnection client = server.connect()) {
      for (String value : new String[] {"0", "-1", "1.5", "1s", "99999999999"}) {
        assertThat(client.get(DATA, "Block-Timeout: " + value).problem())
            .isEqualTo("400 bad-request");
      }
      assertThat(client.get(DATA, "Range: bytes=0-0", "Block-Timeout: 5000").status())
          .isEqualTo(206);
    }
  }

  @Test
  void aDeadlineThatPassesDuringTheFlushIsAnsweredToo() throws Exception {
    Gate gate = server.faults("v").hold(request -> request.op() == BlockOp.FLUSH);
    try (RawConnection client = server.connect()) {
      assertThat(client.put(DATA, bytes(512, 1), "Block-Timeout: 100").problem())
          .isEqualTo("504 deadline-exceeded");
      gate.release();
      server.awaitQuiet();
      assertThat(client.get(DATA, "Range: bytes=0-511").body()).isEqualTo(bytes(512, 1));
    }
  }

  @Test
  void withoutMemoryTheFirstReadIsTurnedAwayAndWhatIsUnderWayWaits() throws Exception {
    try (TestServer small = new TestServer.Bounds().loops(1).maxBufferBytes(300 << 10).start()) {
      small.open("v");
      byte[] all = bytes(SIZE, 5);
      try (RawConnection client = small.connect();
          RawConnection other = small.connect()) {
        assertThat(client.put(DATA, all).status()).isEqualTo(200);
        assertThat(client.get(DATA).body()).isEqualTo(all);
        Gate gate = small.faults("v").hold();
        client.send(RawConnection.head("GET", DATA));
        gate.awaitWaiting(1);
        Answer turnedAway = other.get(DATA);
        assertThat(turnedAway.problem()).isEqualTo("503 overloaded");
        gate.release();
        assertThat(client.receive("GET").body()).isEqualTo(all);
      }
    }
  }
}

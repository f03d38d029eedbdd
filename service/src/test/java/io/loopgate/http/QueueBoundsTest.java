package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static io.loopgate.it.QueueWire.join;
import static io.loopgate.it.QueueWire.read;
import static io.loopgate.it.QueueWire.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.http.QueueExchange.OverHttp1;
import io.loopgate.http.QueueExchange.Protocol;
import io.loopgate.it.QueueClient;
import io.loopgate.it.QueueWire;
import io.loopgate.it.QueueWire.Completion;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How queue streams begin, wait, are bounded, and end. */
final class QueueBoundsTest {
  private static final String QUEUE = "/v1/volumes/v/queue";
  private static final String TYPE = "Content-Type: " + QueueWire.TYPE;
  private static final Duration SHORT = Duration.ofMillis(400);

  private static TestServer start(TestServer.Bounds bounds) throws IOException {
    TestServer server = bounds.start();
    server.open("v");
    return server;
  }

  @Test
  void aBatchOfKnownLengthLeavesTheConnectionOpen() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      byte[] bad = read(2, 0, 1);
      bad[0] = 0;
      for (int round = 0; round < 3; round++) {
        Answer good = client.body("POST", QUEUE, read(1, 0, 512), TYPE);
        assertThat(good.status()).isEqualTo(200);
        assertThat(good.field("content-type")).isEqualTo(QueueWire.TYPE);
        assertThat(good.field("transfer-encoding")).isEqualTo("chunked");
        assertThat(QueueWire.completions(good.body())).hasSize(1);
        Answer ended =
            client.body("POST", QUEUE, join(read(1, 0, 1), bad, new byte[500_000]), TYPE);
        assertThat(QueueWire.completions(ended.body())).hasSize(2);
        assertThat(client.get(DATA, "Range: bytes=0-0").status()).isEqualTo(206);
      }
    }
  }

  @Test
  void whatIsNoQueueRequestIsRefusedBeforeItsBody() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      byte[] body = read(1, 0, 1);
      assertThat(client.body("POST", "/v1/volumes/w/queue", body, TYPE).problem())
          .isEqualTo("404 no-such-volume");
      Answer wrongMethod = client.get(QUEUE);
      assertThat(wrongMethod.problem()).isEqualTo("405 method-not-allowed");
      assertThat(wrongMethod.field("allow")).isEqualTo("POST");
      Answer untyped = client.body("POST", QUEUE, body);
      assertThat(untyped.problem()).isEqualTo("415 unsupported-media-type");
      assertThat(untyped.field("accept-post")).isEqualTo(QueueWire.TYPE);
      assertThat(client.body("POST", QUEUE, body, "Content-Type: text/plain").status())
          .isEqualTo(415);
      assertThat(client.body("POST", QUEUE, body, TYPE, "Content-Encoding: gzip").status())
          .isEqualTo(415);
      for (String query : new String[] {"?x=1", "?flush=1", "?flush", "?flush=n&flush=n"}) {
        assertThat(client.body("POST", QUEUE + query, body, TYPE).problem())
            .isEqualTo("400 bad-request");
      }
      assertThat(client.body("POST", QUEUE, body, TYPE, "Block-Timeout: soon").problem())
          .isEqualTo("400 bad-request");
      assertThat(client.body("POST", QUEUE, body, TYPE + "; v=1").status()).isEqualTo(200);
    }
  }

  @Test
  void continueIsSaidOnceTheHeadIsChecked() throws Exception {
    String[] fields = {"Expect: 100-continue", "Content-Length: 32"};
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      client.send(RawConnection.head("POST", QUEUE, TYPE, fields[0], fields[1]));
      assertThat(client.anyHead().status()).isEqualTo(100);
      Answer head = client.anyHead();
      assertThat(head.status()).isEqualTo(200);
      client.send(read(1, 0, 512));
      assertThat(QueueWire.completions(client.readBody(head))).hasSize(1);
      client.send(RawConnection.head("POST", QUEUE, fields[0], fields[1]));
      assertThat(client.anyHead().status()).isEqualTo(415);
    }
  }

  @Test
  void anOldClientReadsToTheEndOfTheConnection() throws Exception {
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect()) {
      String head = RawConnection.head("POST", QUEUE, TYPE, "Content-Length: 64");
      client.send(
          head.replace("HTTP/1.1", "HTTP/1.0")
              .replace("\r\n\r\n", "\r\nConnection: keep-alive\r\n\r\n"));
      client.send(join(read(1, 0, 512), read(2, 0, 512)));
      Answer answer = client.anyHead();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("transfer-encoding")).isEmpty();
      assertThat(client.drain()).isEqualTo(2 * (32 + 512));
    }
  }

  @Test
  void withLittleMemoryCommandsWaitAndOnlyWhatCanNeverFitFails() throws Exception {
    try (TestServer server = start(new TestServer.Bounds().loops(1).maxBufferBytes(300 << 10))) {
      try (QueueExchange one = new OverHttp1(server.port(), QUEUE);
          QueueExchange two = new OverHttp1(server.port(), QUEUE)) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
          frames.add(
              i % 2 == 0 ? write(i, i * 1000L, bytes(100_000, i)) : read(i, i * 1000L, 90_000));
        }
        frames.add(read(1000, 0, 400_000));
        frames.add(write(1001, 0, bytes(400_000, 1)));
        byte[] all = join(frames.toArray(byte[][]::new));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
          List<Future<?>> senders = new ArrayList<>();
          for (QueueExchange each : List.of(one, two)) {
            senders.add(
                threads.submit(
                    () -> {
                      each.send(all);
                      each.end();
                    }));
          }
          for (QueueExchange each : List.of(one, two)) {
            List<Completion> got = each.takeAll();
            assertThat(got).hasSize(62);
            for (Completion completion : got) {
              assertThat(completion.status())
                  .as("tag %d", completion.tag())
                  .isEqualTo(completion.tag() < 1000 ? 0 : 413);
            }
          }
          for (Future<?> sender : senders) {
            sender.get();
          }
        }
      }
    }
  }

  @Test
  void aLoopThatIsFullMakesTheStreamWait() throws Exception {
    try (TestServer server = start(new TestServer.Bounds().loops(1).maxLoopCommands(2));
        QueueExchange exchange = new OverHttp1(server.port(), QUEUE)) {
      Gate gate = server.faults("v").hold();
      byte[][] frames = new byte[50][];
      for (int i = 0; i < frames.length; i++) {
        frames[i] =
            switch (i % 3) {
              case 0 -> write(i, i * 512L, bytes(512, i));
              case 1 -> read(i, 0, 512);
              default -> QueueWire.command(QueueWire.ZERO, i, 100_000, 512);
            };
      }
      exchange.send(join(frames));
      exchange.end();
      gate.awaitWaiting(2);
      gate.release();
      assertThat(exchange.takeAll()).hasSize(50).allMatch(each -> each.status() == 0);
      assertThat(server.telemetry().rejections().get("overloaded")).isZero();
    }
  }

  @Test
  void whoLeavesWhileTheLoopIsFullIsForgotten() throws Exception {
    try (TestServer server = start(new TestServer.Bounds().loops(1).maxLoopCommands(1))) {
      Gate gate = server.faults("v").hold();
      try (QueueExchange leaver = new OverHttp1(server.port(), QUEUE);
          QueueExchange late = new OverHttp1(server.port(), QUEUE, "Block-Timeout: 100")) {
        leaver.send(join(read(1, 0, 512), read(2, 0, 512), write(3, 0, bytes(512, 1))));
        gate.awaitWaiting(1);
        late.send(read(1, 0, 512));
        assertThat(late.take().orElseThrow().status()).isEqualTo(504);
        leaver.leave();
        eventually("it left", () -> server.telemetry().queueStreams() == 1);
        gate.release();
      }
      server.awaitQuiet();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSlowDeviceStopsTheSenderAndHoldsLittle(Protocol protocol) throws Exception {
    int writes = 400;
    try (TestServer server = TestServer.start();
        QueueExchange exchange = protocol.open(server, QUEUE);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Gate gate = server.faults("v").hold();
      byte[] payload = bytes(64 << 10, 1);
      Future<?> sender =
          threads.submit(
              () -> {
                for (int i = 0; i < writes; i++) {
                  exchange.send(write(i, 0, payload));
                }
                exchange.end();
              });
      eventually("as much as it may", () -> server.telemetry().heldBytes() > 3 << 20);
      assertThat(server.telemetry().heldBytes()).isLessThan(5 << 20);
      assertThat(sender.isDone()).isFalse();
      gate.release();
      List<Completion> all = exchange.takeAll();
      assertThat(all).hasSize(writes).allMatch(each -> each.status() == 0);
      sender.get();
    }
  }

  @Test
  void aBatchWhoseReadsAreSmallMayBeReadAfterItsEnd() throws Exception {
    int reads = 4000;
    int writes = 12_000;
    try (TestServer server = TestServer.start();
        QueueClient client =
            new QueueClient("127.0.0.1", server.port(), QUEUE + "?flush=n", 4096)) {
      for (int i = 0; i < reads; i++) {
        client.read(i, i * 17L, 256);
      }
      for (int i = 0; i < writes; i++) {
        client.write(reads + i, 8L * i, bytes(8, i), 0);
      }
      client.end();
      assertThat(client.status()).isEqualTo(200);
      int taken = 0;
      for (Optional<Completion> next = client.take(); next.isPresent(); next = client.take()) {
        assertThat(next.get().status()).isZero();
        taken++;
      }
      assertThat(taken).isEqualTo(reads + writes);
    }
  }

  @Test
  void aClientThatNeverReadsIsCutAndHoldsNothing() throws Exception {
    try (TestServer server = start(new TestServer.Bounds().stallTimeout(SHORT));
        QueueClient client = new QueueClient("127.0.0.1", server.port(), QUEUE, 4096)) {
      for (int i = 0; i < 64; i++) {
        client.read(i, 0, SIZE);
      }
      client.send();
      eventually("cut", () -> server.telemetry().stalledTransfers() == 1);
      eventually("closed", () -> server.telemetry().openConnections() == 0);
      server.awaitQuiet();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatWaitsForNothingLives(Protocol protocol) throws Exception {
    try (TestServer server = start(new TestServer.Bounds().idleTimeout(SHORT).stallTimeout(SHORT));
        QueueExchange exchange = protocol.open(server, QUEUE)) {
      exchange.send(read(1, 0, 512));
      assertThat(exchange.take()).isPresent();
      for (int i = 0; i < 3; i++) {
        try (RawConnection idle = server.connect()) {
          assertThat(idle.get("/v1").status()).isEqualTo(200);
          assertThat(idle.isClosedByPeer()).isTrue();
        }
      }
      exchange.send(read(2, 0, 512));
      assertThat(exchange.rest()).hasSize(1);
      assertThat(server.telemetry().stalledTransfers()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSlowDeviceIsNotTheClientsFault(Protocol protocol) throws Exception {
    try (TestServer server = start(new TestServer.Bounds().idleTimeout(SHORT).stallTimeout(SHORT));
        QueueExchange exchange = protocol.open(server, QUEUE)) {
      Gate gate = server.faults("v").hold();
      exchange.send(read(1, 0, 512));
      gate.awaitWaiting(1);
      try (RawConnection idle = server.connect()) {
        assertThat(idle.get("/v1").status()).isEqualTo(200);
        assertThat(idle.isClosedByPeer()).isTrue();
      }
      gate.release();
      assertThat(exchange.rest()).hasSize(1);
    }
  }

  @Test
  void aBatchThatWaitsForTheVolumeDoesNotStandStill() throws Exception {
    try (TestServer server = start(new TestServer.Bounds().stallTimeout(SHORT))) {
      server.open(
          server.settings(
              "one", Durability.DURABLE, AlignmentPolicy.ANY, new VolumeLimits(1, 0, 0)));
      Gate gate = server.faults("one").hold();
      try (QueueExchange batch = new OverHttp1(server.port(), "/v1/volumes/one/queue");
          QueueExchange stalled = new OverHttp1(server.port(), QUEUE)) {
        batch.send(join(read(1, 0, 512), read(2, 0, 512)));
        batch.end();
        gate.awaitWaiting(1);
        stalled.send(new byte[5]);
        assertThat(stalled.takeAll()).hasSize(1);
        stalled.end();
        gate.release();
        assertThat(batch.takeAll()).hasSize(2).allMatch(each -> each.status() == 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoStopsAmidACommandIsTold(Protocol protocol) throws Exception {
    for (int length : new int[] {7, 32, 300}) {
      try (TestServer server = start(new TestServer.Bounds().stallTimeout(SHORT));
          QueueExchange exchange = protocol.open(server, QUEUE)) {
        byte[] half = new byte[length];
        System.arraycopy(write(2, 0, bytes(512, 1)), 0, half, 0, length);
        exchange.send(join(read(1, 0, 16), half));
        List<Completion> all = exchange.takeAll();
        assertThat(all).hasSize(2);
        assertThat(all.get(1).tag()).isEqualTo(QueueWire.END_TAG);
        assertThat(all.get(1).status()).isEqualTo(408);
        eventually("the connection too", () -> server.telemetry().inFlight() == 0);
        assertThat(server.telemetry().stalledTransfers()).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoLeavesGetsItsMemoryBackWhenTheDeviceHasAnswered(Protocol protocol) throws Exception {
    try (TestServer server = TestServer.start();
        QueueExchange exchange = protocol.open(server, QUEUE)) {
      Gate gate = server.faults("v").hold();
      byte[] half = new byte[1000];
      System.arraycopy(write(9, 0, bytes(100_000, 1)), 0, half, 0, half.length);
      exchange.send(join(read(1, 0, 4096), write(2, 0, bytes(4096, 1)), read(3, 0, 100_000), half));
      gate.awaitWaiting(2);
      exchange.leave();
      eventually("it left", () -> server.telemetry().queueStreams() == 0);
      assertThat(server.telemetry().heldBytes()).isPositive();
      assertThat(server.telemetry().queueInFlight()).isEqualTo(3);
      assertThat(server.volume("v").inFlight()).isEqualTo(3);
      gate.release();
      server.awaitQuiet();
      assertThat(server.telemetry().queueInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoLeavesWithoutReadingLosesNothingOfOurs(Protocol protocol) throws Exception {
    try (TestServer server = TestServer.start()) {
      for (int round = 0; round < 5; round++) {
        try (QueueExchange exchange = protocol.open(server, QUEUE)) {
          for (int i = 0; i < 6; i++) {
            exchange.send(join(read(i, 0, SIZE / 2), read(100 + i, 0, 512)));
          }
          exchange.take();
          exchange.leave();
        }
      }
      server.awaitQuiet();
    }
  }

  @ParameterizedTest
  @EnumSource
  void drainingEndsAnIdleStreamAndABusyOneBehindWhatIsDue(Protocol protocol) throws Exception {
    try (TestServer server = TestServer.start();
        QueueExchange idle = protocol.open(server, QUEUE);
        QueueExchange busy = protocol.open(server, QUEUE)) {
      idle.send(read(1, 0, 512));
      assertThat(idle.take()).isPresent();
      Gate gate = server.faults("v").hold();
      busy.send(join(read(1, 0, 512), write(2, 0, bytes(512, 1))));
      gate.awaitWaiting(2);
      server.plane().draining().set(true);
      assertThat(idle.takeAll()).isEmpty();
      gate.release();
      assertThat(busy.takeAll()).hasSize(2).allMatch(each -> each.status() == 0);
      eventually("over", () -> server.telemetry().queueStreams() == 0);
    }
  }

  @Test
  void drainingLetsABatchOfKnownLengthEnd() throws Exception {
    byte[] all = join(read(1, 0, 512), read(2, 0, 512));
    try (TestServer server = TestServer.start();
        RawConnection client = server.connect();
        QueueExchange stream = new OverHttp1(server.port(), QUEUE)) {
      client.send(RawConnection.head("POST", QUEUE, TYPE, "Content-Length: " + all.length));
      Answer head = client.receiveHead();
      // Busy, so it ends at the second look at all streams.
      stream.send(new byte[5]);
      eventually("both are open", () -> server.telemetry().queueStreams() == 2);
      server.plane().draining().set(true);
      assertThat(stream.takeAll()).isEmpty();
      client.send(all);
      assertThat(QueueWire.completions(client.readBody(head))).hasSize(2);
    }
  }
}

package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static io.loopgate.it.QueueWire.DISCARD;
import static io.loopgate.it.QueueWire.FLUSH;
import static io.loopgate.it.QueueWire.FUA;
import static io.loopgate.it.QueueWire.ZERO;
import static io.loopgate.it.QueueWire.command;
import static io.loopgate.it.QueueWire.join;
import static io.loopgate.it.QueueWire.read;
import static io.loopgate.it.QueueWire.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.engine.EngineOptions;
import io.loopgate.http.QueueExchange.OverHttp1;
import io.loopgate.it.QueueWire;
import io.loopgate.it.QueueWire.Completion;
import io.loopgate.layer.NowaitMode;
import io.loopgate.volume.AlignmentPolicy;
import io.loopgate.volume.Durability;
import io.loopgate.volume.VolumeLimits;
import io.loopgate.volume.VolumeSettings;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What volumes answer to the commands of a queue. */
final class QueueVolumeTest {
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private QueueExchange queue(String volume, String... fields) {
    return new OverHttp1(server.port(), "/v1/volumes/" + volume + "/queue", fields);
  }

  private Map<Long, Integer> statuses(String volume, byte[]... frames) {
    try (QueueExchange exchange = queue(volume)) {
      exchange.send(join(frames));
      return byTag(exchange.rest());
    }
  }

  private static Map<Long, Integer> byTag(List<Completion> all) {
    Map<Long, Integer> byTag = new HashMap<>();
    all.forEach(each -> byTag.put(each.tag(), each.status()));
    assertThat(byTag).hasSize(all.size());
    return byTag;
  }

  private void open(String id, AlignmentPolicy alignment, VolumeLimits limits) {
    server.open(server.settings(id, Durability.DURABLE, alignment, limits));
  }

  private VolumeSettings direct(String id, AlignmentPolicy alignment) {
    return new VolumeSettings(
        id,
        server.file(id).toString(),
        "workers:2",
        EngineOptions.DEFAULT,
        NowaitMode.OFF,
        DirectIo.ON,
        false,
        Durability.WRITEBACK,
        512,
        alignment,
        VolumeLimits.DEFAULT);
  }

  @Test
  void aDurableVolumeCompletesAWriteWhenItIsOnMedia() throws Exception {
    Gate gate = server.faults("v").hold(request -> request.op() == BlockOp.FLUSH);
    try (QueueExchange exchange = queue("v")) {
      exchange.send(join(write(1, 0, bytes(512, 1)), command(ZERO, 2, 512, 512)));
      gate.awaitWaiting(1);
      exchange.send(read(3, 0, 512));
      assertThat(exchange.take().orElseThrow().tag()).isEqualTo(3);
      gate.release();
      assertThat(byTag(exchange.rest())).containsOnly(Map.entry(1L, 0), Map.entry(2L, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({"v, '?flush=n'", "lazy, ''"})
  void elsewhereOnlyFuaAndFlushWaitForMedia(String volume, String query) throws Exception {
    server.open(
        server.settings("lazy", Durability.WRITEBACK, AlignmentPolicy.ANY, VolumeLimits.DEFAULT));
    Gate gate = server.faults(volume).hold(request -> request.op() == BlockOp.FLUSH);
    try (QueueExchange exchange =
        new OverHttp1(server.port(), "/v1/volumes/" + volume + "/queue" + query)) {
      exchange.send(write(1, 0, bytes(512, 1)));
      assertThat(exchange.take().orElseThrow().tag()).isEqualTo(1);
      exchange.send(command(DISCARD, 2, 512, 512));
      assertThat(exchange.take().orElseThrow().tag()).isEqualTo(2);
      exchange.send(write(3, 0, bytes(512, 1), FUA, 0));
      gate.awaitWaiting(1);
      exchange.send(join(command(FLUSH, 4, 0, 0), read(5, 0, 1)));
      assertThat(exchange.take().orElseThrow().tag()).isEqualTo(5);
      gate.release();
      assertThat(byTag(exchange.rest())).containsOnly(Map.entry(3L, 0), Map.entry(4L, 0));
    }
  }

  @Test
  void aReadOnlyVolumeIsReadAndFlushed() throws Exception {
    server.open("ro");
    try (RawConnection control = server.connect()) {
      assertThat(control.json("PATCH", "/v1/volumes/ro", "{\"readOnly\":true}").status())
          .isEqualTo(200);
    }
    assertThat(
            statuses(
                "ro",
                write(1, 0, bytes(512, 1)),
                command(ZERO, 2, 0, 512),
                command(DISCARD, 3, 0, 512),
                read(4, 0, 512),
                command(FLUSH, 5, 0, 0)))
        .isEqualTo(Map.of(1L, 403, 2L, 403, 3L, 403, 4L, 0, 5L, 0));
  }

  @Test
  void aFailedFlushPoisonsWritesAndNotReads() {
    server.faults("v").failNth(BlockOp.FLUSH, 1, Errno.EIO);
    assertThat(statuses("v", write(1, 0, bytes(512, 1)))).isEqualTo(Map.of(1L, 500));
    assertThat(
            statuses(
                "v",
                write(1, 0, bytes(512, 1)),
                command(ZERO, 2, 0, 512),
                command(FLUSH, 3, 0, 0),
                read(4, 0, 512)))
        .isEqualTo(Map.of(1L, 500, 2L, 500, 3L, 500, 4L, 0));
    assertThat(server.telemetry().rejections().get("poisoned")).isEqualTo(4);
  }

  @Test
  void whatTheDeviceSaysIsTheErrorOfItsCommand() throws Exception {
    server.faults("v").failAt(BlockOp.READ, 4096, Errno.EIO);
    server.faults("v").failAt(BlockOp.WRITE, 8192, Errno.ENOSPC);
    server.faults("v").failAll(BlockOp.ZERO, Errno.EIO);
    try (FileChannel file = FileChannel.open(server.file("v"), StandardOpenOption.WRITE)) {
      file.truncate(SIZE / 2);
    }
    assertThat(
            statuses(
                "v",
                read(1, 4096, 512),
                write(2, 8192, bytes(512, 1)),
                command(ZERO, 3, 0, 512),
                read(4, SIZE / 2, 512),
                read(5, 0, 512)))
        .isEqualTo(Map.of(1L, 500, 2L, 507, 3L, 500, 4L, 500, 5L, 0));
    assertThat(server.telemetry().rejections().get("backing-truncated")).isEqualTo(1);
    assertThat(server.telemetry().rejections().get("no-space")).isEqualTo(1);
  }

  @Test
  void aStrictVolumeRefusesWhatIsNotAligned() {
    server.open(direct("strict", AlignmentPolicy.STRICT));
    assertThat(
            statuses(
                "strict",
                write(1, 1, bytes(512, 1)),
                write(2, 0, bytes(511, 1)),
                command(ZERO, 3, 512, 1),
                read(4, 1, 10),
                write(5, 4096, bytes(4096, 1))))
        .isEqualTo(Map.of(1L, 400, 2L, 400, 3L, 400, 4L, 0, 5L, 0));
    assertThat(server.telemetry().rejections().get("misaligned")).isEqualTo(3);
  }

  @Test
  void aQuotaIsTheErrorOfTheCommandsBeyondIt() {
    open("slow", AlignmentPolicy.ANY, new VolumeLimits(64, 1, 0));
    byte[][] frames = new byte[40][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = i % 2 == 0 ? read(i, 0, 512) : write(i, 0, bytes(9, i));
    }
    assertThat(statuses("slow", frames).values()).containsOnly(0, 429);
    assertThat(server.telemetry().rejections().get("quota")).isGreaterThan(20);
  }

  @Test
  void aVolumeThatIsFullMakesTheStreamWait() throws Exception {
    open("one", AlignmentPolicy.ANY, new VolumeLimits(1, 0, 0));
    Gate gate = server.faults("one").hold();
    try (RawConnection other = server.connect();
        QueueExchange exchange = queue("one")) {
      other.send(RawConnection.head("GET", "/v1/volumes/one/data", "Range: bytes=0-0"));
      gate.awaitWaiting(1);
      byte[][] frames = new byte[20][];
      for (int i = 0; i < frames.length; i++) {
        frames[i] = i % 2 == 0 ? read(i, 0, 512) : write(i, i * 512L, bytes(512, i));
      }
      exchange.send(join(frames));
      exchange.end();
      assertThat(server.telemetry().queueInFlight()).isZero();
      gate.release();
      assertThat(other.receive("GET").status()).isEqualTo(206);
      List<Completion> all = exchange.takeAll();
      assertThat(all).hasSize(20).allMatch(each -> each.status() == 0);
    }
    assertThat(server.telemetry().rejections().get("overloaded")).isZero();
  }

  @Test
  void aCommandIsAnsweredAtItsDeadlineAndItsMemoryComesBackLater() throws Exception {
    Gate gate = server.faults("v").hold();
    try (QueueExchange exchange = queue("v", "Block-Timeout: 50")) {
      exchange.send(
          join(
              write(1, 0, bytes(512, 1)),
              write(2, 512, bytes(512, 1)),
              read(3, 0, 512),
              // Two threads write, so this one is queued until its time is over.
              write(4, 8192, bytes(512, 4))));
      exchange.end();
      List<Completion> all = exchange.takeAll();
      assertThat(byTag(all)).isEqualTo(Map.of(1L, 504, 2L, 504, 3L, 504, 4L, 504));
      assertThat(server.telemetry().heldBytes()).isPositive();
      assertThat(server.volume("v").inFlight()).isEqualTo(4);
      gate.release();
      server.awaitQuiet();
    }
    try (RawConnection data = server.connect()) {
      assertThat(data.get(DATA, "Range: bytes=8192-8703").body()).isEqualTo(new byte[512]);
    }
  }

  @Test
  void aDeadlineIsForEachCommandAndNotForTheStream() throws Exception {
    try (QueueExchange exchange = queue("v", "Block-Timeout: 100")) {
      Gate gate = server.faults("v").hold();
      exchange.send(read(1, 0, 512));
      assertThat(exchange.take().orElseThrow().status()).isEqualTo(504);
      gate.release();
      int status = 504;
      for (int tag = 2; status == 504; tag++) {
        exchange.send(read(tag, 0, 512));
        status = exchange.take().orElseThrow().status();
      }
      assertThat(status).isZero();
      assertThat(exchange.rest()).isEmpty();
    }
  }

  @Test
  void aStreamWithoutCommandsKeepsNobodyFromResizingOrDeleting() throws Exception {
    try (RawConnection control = server.connect()) {
      String made = "{\"id\":\"gone\",\"sizeBytes\":1048576}";
      assertThat(control.json("POST", "/v1/volumes", made).status()).isEqualTo(201);
      try (QueueExchange exchange = queue("gone")) {
        exchange.send(read(1, SIZE / 2, 512));
        assertThat(exchange.take().orElseThrow().status()).isZero();
        String smaller = "{\"sizeBytes\":524288,\"allowShrink\":true}";
        eventually("left", () -> server.volume("gone").inFlight() == 0);
        assertThat(control.json("PATCH", "/v1/volumes/gone", smaller).status()).isEqualTo(200);
        exchange.send(join(read(2, SIZE / 2, 512), read(3, 0, 512)));
        assertThat(byTag(List.of(exchange.take().orElseThrow(), exchange.take().orElseThrow())))
            .isEqualTo(Map.of(2L, 416, 3L, 0));
        eventually("left", () -> server.volume("gone").inFlight() == 0);
        assertThat(control.call("DELETE", "/v1/volumes/gone").status()).isEqualTo(204);
        exchange.send(read(4, 0, 512));
        // The stream of a volume that is gone ends.
        assertThat(byTag(exchange.takeAll())).isEqualTo(Map.of(4L, 503));
      }
    }
  }

  /** Random commands on ranges that do not overlap, against an array. */
  @ParameterizedTest
  @CsvSource({"false, 1", "true, 2", "true, 3"})
  void randomCommandsDoWhatAnArrayDoes(boolean direct, long seed) throws IOException {
    String id = "model";
    server.open(
        direct
            ? direct(id, AlignmentPolicy.ANY)
            : server.settings(id, Durability.WRITEBACK, AlignmentPolicy.ANY, VolumeLimits.DEFAULT));
    server.faults(id).shortenTo(direct ? 8192 : 3000);
    byte[] model = new byte[SIZE];
    Random random = new Random(seed);
    try (QueueExchange exchange = queue(id)) {
      for (int round = 0; round < 40; round++) {
        round(exchange, random, model);
      }
      assertThat(exchange.rest()).isEmpty();
    }
    try (RawConnection data = server.connect()) {
      assertThat(data.get("/v1/volumes/" + id + "/data").body()).isEqualTo(model);
    }
  }

  private static void round(QueueExchange exchange, Random random, byte[] model) {
    int slices = 1 + random.nextInt(32);
    int sliceBytes = SIZE / slices;
    Map<Long, byte[]> expected = new HashMap<>();
    byte[][] frames = new byte[slices][];
    for (int i = 0; i < slices; i++) {
      int length = random.nextInt(Math.min(sliceBytes, 100_000));
      int offset = i * sliceBytes + random.nextInt(sliceBytes - length);
      long tag = random.nextLong() & Long.MAX_VALUE;
      expected.put(tag, new byte[0]);
      int op = random.nextInt(5);
      if (op == QueueWire.READ) {
        expected.put(tag, Arrays.copyOfRange(model, offset, offset + length));
      } else if (op == QueueWire.WRITE) {
        byte[] payload = new byte[length];
        random.nextBytes(payload);
        System.arraycopy(payload, 0, model, offset, length);
        frames[i] = write(tag, offset, payload, random.nextInt(2), QueueWire.crc32c(payload));
        continue;
      } else if (op == ZERO || op == DISCARD) {
        Arrays.fill(model, offset, offset + length, (byte) 0);
      }
      frames[i] = command(op, tag, offset, length);
    }
    exchange.send(join(frames));
    for (int i = 0; i < slices; i++) {
      Completion completion = exchange.take().orElseThrow();
      assertThat(completion.status()).isZero();
      assertThat(completion.payload()).isEqualTo(expected.remove(completion.tag()));
    }
    assertThat(expected).isEmpty();
  }
}

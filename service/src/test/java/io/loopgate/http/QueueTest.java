package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.it.QueueWire.DISCARD;
import static io.loopgate.it.QueueWire.FLUSH;
import static io.loopgate.it.QueueWire.FUA;
import static io.loopgate.it.QueueWire.READ;
import static io.loopgate.it.QueueWire.ZERO;
import static io.loopgate.it.QueueWire.command;
import static io.loopgate.it.QueueWire.crc32c;
import static io.loopgate.it.QueueWire.join;
import static io.loopgate.it.QueueWire.read;
import static io.loopgate.it.QueueWire.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.http.QueueExchange.Protocol;
import io.loopgate.it.QueueWire;
import io.loopgate.it.QueueWire.Completion;
import io.loopgate.telemetry.RequestKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the contract says of queues, over HTTP/1.1 and HTTP/2. */
final class QueueTest {
  private static final String QUEUE = "/v1/volumes/v/queue";
  private static final byte[] CONTENT = bytes(SIZE, 1);

  private TestServer server;
  private RawConnection data;

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start();
    data = server.connect();
    assertThat(data.put(DATA, CONTENT).status()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws IOException {
    data.close();
    server.close();
  }

  private Map<Long, Completion> batch(Protocol protocol, byte[]... frames) {
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      exchange.send(join(frames));
      List<Completion> all = exchange.rest();
      assertThat(exchange.status()).isEqualTo(200);
      return byTag(all);
    }
  }

  private static Map<Long, Completion> byTag(List<Completion> all) {
    Map<Long, Completion> byTag = new HashMap<>();
    for (Completion each : all) {
      assertThat(byTag.put(each.tag(), each)).as("tag %d", each.tag()).isNull();
    }
    return byTag;
  }

  private static Completion of(Map<Long, Completion> all, long tag) {
    Completion found = all.get(tag);
    if (found == null) {
      throw new AssertionError("no completion of tag " + tag + " among " + all.keySet());
    }
    return found;
  }

  private static void assertEnd(Completion last, int status) {
    assertThat(last.tag()).isEqualTo(QueueWire.END_TAG);
    assertThat(last.status()).isEqualTo(status);
    assertThat(last.payload()).isEmpty();
  }

  private static byte[] part(int from, int length) {
    return Arrays.copyOfRange(CONTENT, from, from + length);
  }

  private byte[] now(int from, int length) throws IOException {
    return data.get(DATA, "Range: bytes=" + from + "-" + (from + length - 1)).body();
  }

  @ParameterizedTest
  @EnumSource
  void aBatchOfReads(Protocol protocol) {
    byte[][] reads = new byte[8][];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = read(i, i * 100_000L, 300);
    }
    Map<Long, Completion> all = batch(protocol, reads);
    assertThat(all).hasSize(8);
    for (int i = 0; i < reads.length; i++) {
      assertThat(of(all, i).status()).isZero();
      assertThat(of(all, i).payload()).isEqualTo(part(i * 100_000, 300));
      assertThat(of(all, i).crc()).isEqualTo(crc32c(part(i * 100_000, 300)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeReadsAndWrites(Protocol protocol) throws IOException {
    byte[] big = bytes(QueueWire.FRAME_BYTES * 1000 + 7, 4);
    Map<Long, Completion> all =
        batch(protocol, read(1, 0, SIZE / 2), write(2, SIZE / 2, big, 0, crc32c(big)));
    assertThat(of(all, 1).payload()).isEqualTo(part(0, SIZE / 2));
    assertThat(of(all, 2).status()).isZero();
    assertThat(now(SIZE / 2, big.length)).isEqualTo(big);
    assertThat(of(batch(protocol, read(3, 0, SIZE)), 3).payload().length).isEqualTo(SIZE);
  }

  @ParameterizedTest
  @EnumSource
  void everyOperationInOneBatch(Protocol protocol) throws IOException {
    byte[] first = bytes(1024, 2);
    byte[] second = bytes(100, 3);
    Map<Long, Completion> all =
        batch(
            protocol,
            read(1, 0, 512),
            write(2, 8192, first),
            command(ZERO, 3, 16_384, 4096),
            command(DISCARD, 4, 65_536, 8192),
            command(FLUSH, 5, 0, 0),
            write(6, 1000, second, FUA, 0));
    assertThat(all).hasSize(6);
    assertThat(all.values()).allMatch(each -> each.status() == 0);
    assertThat(of(all, 1).payload()).isEqualTo(part(0, 512));
    assertThat(now(8192, 1024)).isEqualTo(first);
    assertThat(now(16_384, 4096)).isEqualTo(new byte[4096]);
    assertThat(now(65_536, 8192)).isEqualTo(new byte[8192]);
    assertThat(now(1000, 100)).isEqualTo(second);
  }

  @ParameterizedTest
  @EnumSource
  void completionsStreamBeforeTheNextCommandIsSent(Protocol protocol) {
    byte[] body = bytes(512, 5);
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      assertThat(exchange.status()).isEqualTo(200);
      exchange.send(read(1, 0, 512));
      assertThat(exchange.take().orElseThrow().payload()).isEqualTo(part(0, 512));
      exchange.send(write(2, 512, body));
      assertThat(exchange.take().orElseThrow().tag()).isEqualTo(2);
      exchange.send(read(3, 512, 512));
      assertThat(exchange.take().orElseThrow().payload()).isEqualTo(body);
      assertThat(exchange.rest()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void framesMayArriveByteByByte(Protocol protocol) throws IOException {
    byte[] body = bytes(50, 6);
    byte[] all = join(read(1, 0, 16), write(2, 600, body), read(3, 16, 16));
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      for (byte each : all) {
        exchange.send(new byte[] {each});
      }
      Map<Long, Completion> answers = byTag(exchange.rest());
      assertThat(answers).hasSize(3);
      assertThat(of(answers, 3).payload()).isEqualTo(part(16, 16));
    }
    assertThat(now(600, 50)).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource
  void whatDoesNotExistIsTheErrorOfItsCommand(Protocol protocol) {
    Map<Long, Completion> all =
        batch(
            protocol,
            read(1, SIZE - 256, 512),
            read(2, SIZE - 512, 512),
            write(3, SIZE - 1, new byte[2]),
            command(READ, 4, -1, 1),
            command(ZERO, 5, Long.MIN_VALUE, 4096),
            command(DISCARD, 6, SIZE, 1),
            command(READ, 7, SIZE, 0),
            command(READ, 8, Long.MAX_VALUE, QueueFrames.MAX_IO_BYTES),
            read(9, 0, 16));
    for (long tag : new long[] {1, 3, 4, 5, 6, 8}) {
      assertThat(of(all, tag).status()).as("tag %d", tag).isEqualTo(416);
      assertThat(of(all, tag).payload()).isEmpty();
    }
    assertThat(of(all, 2).payload()).isEqualTo(part(SIZE - 512, 512));
    assertThat(of(all, 7).status()).isZero();
    assertThat(of(all, 9).payload()).isEqualTo(part(0, 16));
  }

  @ParameterizedTest
  @EnumSource
  void aWrongCrcIsTheErrorOfItsCommandAndWritesNothing(Protocol protocol) throws IOException {
    byte[] body = bytes(512, 7);
    int right = crc32c(body);
    byte[] readWithCrc = read(4, 0, 16);
    readWithCrc[31] = 1;
    Map<Long, Completion> all =
        batch(
            protocol,
            write(1, 512, body, 0, right + 1),
            read(2, 0, 16),
            write(3, 2048, body, 0, right),
            readWithCrc);
    assertThat(of(all, 1).status()).isEqualTo(400);
    assertThat(of(all, 2).payload()).isEqualTo(part(0, 16));
    assertThat(of(all, 3).status()).isZero();
    assertThat(of(all, 4).status()).isEqualTo(400);
    assertThat(now(512, 512)).isEqualTo(part(512, 512));
    assertThat(now(2048, 512)).isEqualTo(body);
  }

  @ParameterizedTest
  @EnumSource
  void aMalformedFrameEndsTheStreamBehindWhatIsDue(Protocol protocol) throws IOException {
    byte[] bad = read(2, 0, 64);
    bad[3] = 'X';
    byte[] body = bytes(512, 8);
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      exchange.send(join(read(1, 0, 64), bad, write(3, 0, body)));
      List<Completion> all = exchange.takeAll();
      assertThat(exchange.status()).isEqualTo(200);
      assertThat(all).hasSize(2);
      assertThat(all.get(0).payload()).isEqualTo(part(0, 64));
      assertEnd(all.get(1), 400);
    }
    assertThat(now(0, 512)).isEqualTo(part(0, 512));
  }

  @ParameterizedTest
  @EnumSource
  void evenTheFirstFrameMayBeMalformed(Protocol protocol) {
    byte[] tooLong = read(1, 0, QueueFrames.MAX_IO_BYTES + 1);
    byte[] reservedTag = read(QueueWire.END_TAG, 0, 1);
    byte[] reservedBits = read(1, 0, 1);
    reservedBits[7] = 1;
    for (byte[] bad :
        List.of(
            tooLong, reservedTag, reservedBits, command(9, 1, 0, 512), new byte[32], new byte[7])) {
      try (QueueExchange exchange = protocol.open(server, QUEUE)) {
        exchange.send(bad);
        List<Completion> all = exchange.rest();
        assertThat(exchange.status()).isEqualTo(200);
        assertThat(all).hasSize(1);
        assertEnd(all.getFirst(), 400);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadCutShortIsNotWritten(Protocol protocol) throws IOException {
    byte[] whole = write(2, 4096, bytes(512, 9));
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      exchange.send(join(read(1, 512, 64), Arrays.copyOf(whole, whole.length - 1)));
      List<Completion> all = exchange.rest();
      assertThat(all).hasSize(2);
      assertThat(all.get(0).payload()).isEqualTo(part(512, 64));
      assertEnd(all.get(1), 400);
    }
    assertThat(now(4096, 512)).isEqualTo(part(4096, 512));
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyBodyIsAnEmptyBatch(Protocol protocol) {
    try (QueueExchange exchange = protocol.open(server, QUEUE)) {
      assertThat(exchange.rest()).isEmpty();
      assertThat(exchange.status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @EnumSource
  void commandsWithoutBytesChangeNothing(Protocol protocol) throws IOException {
    String before = data.call("HEAD", DATA).field("etag");
    Map<Long, Completion> all =
        batch(
            protocol,
            read(1, 0, 0),
            write(2, 0, new byte[0]),
            command(ZERO, 3, 0, 0),
            command(DISCARD, 4, 0, 0));
    assertThat(all.values()).hasSize(4).allMatch(each -> each.status() == 0);
    assertThat(data.call("HEAD", DATA).field("etag")).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void completionsCarryTheSequenceOfTheTag(Protocol protocol) throws IOException {
    Map<Long, Completion> written = batch(protocol, write(1, 0, bytes(512, 1)));
    String tag = data.call("HEAD", DATA).field("etag");
    assertThat(tag).endsWith("-" + of(written, 1).sequence() + "\"");
    Map<Long, Completion> read = batch(protocol, read(1, 0, 16), command(FLUSH, 2, 0, 0));
    assertThat(of(read, 1).sequence()).isEqualTo(of(written, 1).sequence());
    assertThat(of(read, 2).sequence()).isEqualTo(of(written, 1).sequence());
    Map<Long, Completion> more = batch(protocol, command(ZERO, 1, 0, 512));
    assertThat(of(more, 1).sequence()).isGreaterThan(of(written, 1).sequence());
  }

  @ParameterizedTest
  @EnumSource
  void manyMoreCommandsThanAStreamHasAtATime(Protocol protocol) {
    int count = 5 * QueueCommands.COMMANDS_MAX;
    byte[][] frames = new byte[count][];
    for (int i = 0; i < count; i++) {
      frames[i] = i % 3 == 0 ? write(i, i * 64L, part(i * 64, 64)) : read(i, i * 64L, 64);
    }
    Map<Long, Completion> all = batch(protocol, frames);
    assertThat(all).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(of(all, i).status()).isZero();
      assertThat(of(all, i).payload()).isEqualTo(i % 3 == 0 ? new byte[0] : part(i * 64, 64));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theKindAndTheCommandsAreCounted(Protocol protocol) {
    batch(protocol, read(1, 0, 1), read(2, 0, 1), command(FLUSH, 3, 0, 0));
    TestServer.eventually("counted", () -> server.telemetry().requests(RequestKind.QUEUE, 2) == 1);
    assertThat(server.telemetry().queueCommands(io.loopgate.block.BlockOp.READ)).isEqualTo(2);
    assertThat(server.telemetry().queueCommands(io.loopgate.block.BlockOp.FLUSH)).isEqualTo(1);
    TestServer.eventually("none open", () -> server.telemetry().queueStreams() == 0);
    assertThat(server.telemetry().queueInFlight()).isZero();
  }

  @Test
  void manyStreamsShareAConnection() {
    try (QueueExchange.Connection connection = new QueueExchange.Connection(server)) {
      QueueExchange[] streams = new QueueExchange[20];
      for (int i = 0; i < streams.length; i++) {
        streams[i] = connection.open(QUEUE);
      }
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < streams.length; i++) {
          streams[i].send(read(round, i * 4096L, 4096));
        }
      }
      for (int i = 0; i < streams.length; i++) {
        List<Completion> all = streams[i].rest();
        assertThat(all).hasSize(3);
        for (Completion each : all) {
          assertThat(each.payload()).isEqualTo(part(i * 4096, 4096));
        }
      }
      assertThat(server.telemetry().openConnections()).isEqualTo(2);
    }
  }
}

package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.bench.load.LoadCounts;
import io.loopgate.bench.load.Offsets;
import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Protocol;
import io.loopgate.bench.shape.Rw;
import io.loopgate.bench.shape.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lane and its home, without a socket: the test is the server. */
class H1LaneTest {
  private static final int BLOCK = 512;
  private static final String URL = "http://h:81/v1/volumes/v/data";

  private final Errors errors = new Errors();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final BlockModel model = new BlockModel(BLOCK, 4 * BLOCK);
  private int connections;

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private Home start(Rw rw, boolean durable, boolean verify, Pace pace) {
    Optional<BlockModel> known = verify ? Optional.of(model) : Optional.empty();
    Home.Server server =
        new Home.Server(
            Endpoint.parse(URL),
            4 * BLOCK,
            (lane, loop) -> {
              connections++;
              if (channel.pipeline().get(H1Lane.class) == null) {
                lane.initialize(channel.pipeline());
              }
              channel.pipeline().fireChannelActive();
            },
            30_000);
    Home home =
        new Home(
            channel.eventLoop(),
            server,
            Wire.closed(Protocol.H1, durable),
            known,
            new Payloads(known, BLOCK, 1),
            errors);
    Access access = Access.of(rw, BLOCK, 1, 1, false, Cache.HOT);
    home.add(new H1Lane(home, new Offsets(access, 4 * BLOCK, 0, 1), verify ? BLOCK : 0));
    home.start(pace);
    return home;
  }

  private String sent() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      text.append(out.toString(StandardCharsets.ISO_8859_1));
      out.release();
    }
    return text.toString();
  }

  private void answer(String head, byte[] body) {
    channel.writeInbound(Unpooled.wrappedBuffer(head.getBytes(StandardCharsets.US_ASCII), body));
  }

  private void answerRead(byte[] body) {
    answer("HTTP/1.1 206 Partial Content\r\nContent-Length: " + body.length + "\r\n\r\n", body);
  }

  @Test
  void aReadIsARangeAndTheNextFollowsItsAnswer() {
    Home home = start(Rw.READ, true, false, Pace.AT_ONCE);
    String head = "GET /v1/volumes/v/data HTTP/1.1\r\nHost: h:81\r\nRange: bytes=";
    assertThat(sent()).isEqualTo(head + "0-511\r\n\r\n");
    answerRead(new byte[BLOCK]);
    assertThat(sent()).isEqualTo(head + "512-1023\r\n\r\n");
    LoadCounts counts = home.meter().counts();
    assertThat(counts.reads()).isEqualTo(1);
    assertThat(counts.readBytes()).isEqualTo(BLOCK);
    assertThat(errors.count()).isZero();
  }

  @Test
  void aWriteSaysWhereAndWhetherItHasToBeDurable() {
    Home home = start(Rw.WRITE, false, false, Pace.AT_ONCE);
    assertThat(sent())
        .startsWith("PUT /v1/volumes/v/data?flush=n HTTP/1.1\r\nHost: h:81\r\n")
        .contains("Content-Length: 512\r\nContent-Range: bytes 0-511/*\r\n\r\n")
        .hasSizeGreaterThan(BLOCK);
    answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", new byte[0]);
    assertThat(home.meter().counts().writes()).isEqualTo(1);
    assertThat(sent()).contains("Content-Range: bytes 512-1023/*");
  }

  @Test
  void anotherStatusIsAnErrorThatNamesUrlAndBytes() {
    Home home = start(Rw.READ, true, false, Pace.AT_ONCE);
    answer("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", new byte[0]);
    assertThat(errors.first()).containsExactly("GET " + URL + " bytes 0-511: status 503, not 206");
    assertThat(home.meter().counts().reads()).isZero();
    assertThat(sent()).contains("bytes=512-1023");
  }

  @Test
  void aShorterBodyIsAnError() {
    start(Rw.READ, true, false, Pace.AT_ONCE);
    answerRead(new byte[BLOCK - 1]);
    assertThat(errors.first()).singleElement().asString().endsWith("a body of 511 bytes");
  }

  @Test
  void wrongBytesAreAnErrorAndRightOnesAreNot() {
    Home home = start(Rw.READ, true, true, Pace.AT_ONCE);
    byte[] right = new byte[BLOCK];
    model.fill(right, 0, 0, 0);
    answerRead(right);
    assertThat(errors.count()).isZero();
    // The second block, and the bytes are those of the first.
    answerRead(right);
    assertThat(errors.first()).singleElement().asString().contains("wrong bytes from 512 on");
    assertThat(home.meter().counts().reads()).isEqualTo(1);
  }

  @Test
  void aWriteIsKnownOnlyWhenItWasAcknowledged() {
    start(Rw.WRITE, true, true, Pace.AT_ONCE);
    assertThat(model.floor(0)).isZero();
    answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", new byte[0]);
    assertThat(model.floor(0)).isEqualTo(1);
    answer("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", new byte[0]);
    assertThat(model.floor(BLOCK)).isZero();
    assertThat(model.claim(BLOCK)).as("its state is not known any more").isEmpty();
  }

  @Test
  void whatIsNoAnswerBreaksTheConnectionAndAnotherIsOpened() {
    start(Rw.READ, true, false, Pace.AT_ONCE);
    answer("hello there, this is no HTTP\r\n\r\n", new byte[0]);
    assertThat(errors.count()).isEqualTo(1);
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertThat(connections).isGreaterThan(1);
  }

  @Test
  void aServerThatClosesAfterAnAnswerIsNoError() {
    Home home = start(Rw.READ, true, false, Pace.AT_ONCE);
    answer(
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 512\r\nConnection: close\r\n\r\n",
        new byte[BLOCK]);
    assertThat(errors.count()).isZero();
    assertThat(home.meter().counts().reads()).isEqualTo(1);
  }

  @Test
  void aCommandThatBeganLateHasWaitedSinceItWasMeantTo() {
    long lateNanos = TimeUnit.SECONDS.toNanos(5);
    Home home = start(Rw.READ, true, false, new Schedule(System.nanoTime() - lateNanos, 1));
    answerRead(new byte[BLOCK]);
    assertThat(home.meter().counts().latencyNanos().getMinValue())
        .isGreaterThan(lateNanos - TimeUnit.MILLISECONDS.toNanos(100));
  }

  @Test
  void aCommandDoesNotBeginBeforeItsTime() {
    start(Rw.READ, true, false, new Schedule(Long.MAX_VALUE / 2, 1));
    assertThat(sent()).isEmpty();
  }

  @Test
  void itStopsWhenWhatIsUnderWayHasEnded() {
    Home home = start(Rw.READ, true, false, Pace.AT_ONCE);
    boolean[] ended = {false};
    sent();
    home.stop(() -> ended[0] = true);
    assertThat(ended[0]).isFalse();
    answerRead(new byte[BLOCK]);
    assertThat(ended[0]).isTrue();
    assertThat(sent()).isEmpty();
  }
}

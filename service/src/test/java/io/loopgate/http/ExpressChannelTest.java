package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static io.loopgate.http.TestServer.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.telemetry.RequestKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may stop and resume reading, over a channel in memory and a stand-in for Vert.x. */
class ExpressChannelTest {
  private static final int LOOP = 77;

  private final ExpressRegistry registry = new ExpressRegistry();
  private final StringBuilder handedOn = new StringBuilder();
  private boolean stopsReading;
  private TestServer server;
  private EmbeddedChannel channel;

  @BeforeEach
  void open() throws IOException {
    server = TestServer.start();
    channel = new EmbeddedChannel();
    VertxLoop loop = new VertxLoop(LOOP, channel.eventLoop());
    registry.add(channel.eventLoop(), new LoopState(server.plane(), loop));
    channel.pipeline().addFirst(new ExpressChannel(registry));
    channel.pipeline().addLast(new Behind());
    channel.pipeline().fireChannelActive();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    server.close();
  }

  /** Takes what is handed on, and may want no more of it. */
  private final class Behind extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf in = (ByteBuf) message;
      handedOn.append(in.toString(StandardCharsets.ISO_8859_1));
      in.release();
      if (stopsReading) {
        context.channel().config().setAutoRead(false);
      }
    }
  }

  private static ByteBuf ascii(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  private static String read() {
    return RawConnection.head("GET", DATA, "Range: bytes=0-511");
  }

  private boolean isReading() {
    return channel.config().isAutoRead();
  }

  private void awaitAnswer() {
    eventually(
        "the read ended",
        () -> {
          channel.runPendingTasks();
          return !channel.outboundMessages().isEmpty();
        });
  }

  @Test
  void whatArrivesDuringAReadWaitsOutsideAndReadingResumes() throws Exception {
    Gate gate = server.faults("v").hold();
    String other = RawConnection.head("HEAD", DATA);
    channel.writeInbound(ascii(read()));
    gate.awaitWaiting(1);
    assertThat(isReading()).as("nothing waits yet").isTrue();
    channel.writeInbound(ascii(other));
    assertThat(isReading()).isFalse();
    assertThat(handedOn).isEmpty();
    gate.release();
    awaitAnswer();
    assertThat(isReading()).isTrue();
    assertThat(handedOn.toString()).isEqualTo(other);
  }

  @Test
  void readingThatVertxStoppedStaysStopped() throws Exception {
    Gate gate = server.faults("v").hold();
    stopsReading = true;
    channel.writeInbound(ascii(read()));
    gate.awaitWaiting(1);
    String put = RawConnection.head("PUT", DATA, "Content-Length: " + SIZE);
    channel.writeInbound(ascii(put), Unpooled.wrappedBuffer(bytes(5000, 1)));
    gate.release();
    awaitAnswer();
    assertThat(handedOn.length()).isEqualTo(put.length() + 5000);
    assertThat(isReading()).isFalse();
  }

  @Test
  void aHeadInPiecesIsServedWhenItIsWhole() {
    String head = read();
    for (int i = 0; i < head.length() - 1; i++) {
      channel.writeInbound(ascii(head.substring(i, i + 1)));
    }
    assertThat(server.telemetry().inFlight()).isZero();
    channel.writeInbound(ascii("\n" + read().substring(0, 9)));
    awaitAnswer();
    assertThat(handedOn).isEmpty();
    assertThat(server.telemetry().expressed(RequestKind.READ)).isEqualTo(1);
  }

  @Test
  void whatIsForeignIsHandedOnFromItsFirstByte() {
    String foreign = RawConnection.head("PUT", DATA, "Transfer-Encoding: chunked") + "0\r\n\r\n";
    channel.writeInbound(ascii(foreign.substring(0, 30)));
    assertThat(handedOn).isEmpty();
    channel.writeInbound(ascii(foreign.substring(30)), ascii(read()));
    assertThat(handedOn.toString()).isEqualTo(foreign + read());
    assertThat(server.telemetry().expressed(RequestKind.READ)).isZero();
  }
}

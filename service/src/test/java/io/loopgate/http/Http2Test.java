package io.loopgate.http;

import static io.loopgate.http.TestServer.DATA;
import static io.loopgate.http.TestServer.SIZE;
import static io.loopgate.http.TestServer.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.FaultyBacking.Gate;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same over HTTP/2 with prior knowledge. */
final class Http2Test {
  private TestServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws IOException {
    start(new TestServer.Bounds());
  }

  private void start(TestServer.Bounds bounds) throws IOException {
    server = bounds.start();
    server.open("v");
    client =
        server
            .vertx()
            .createHttpClient(
                new HttpClientOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setHttp2ClearTextUpgrade(false));
  }

  @AfterEach
  void stop() {
    TestServer.await(client.close());
    server.close();
  }

  private record Got(int status, HttpClientResponse head, Buffer body) {}

  private Future<Got> call(HttpMethod method, String target, byte[] body, String... headers) {
    return client
        .request(method, server.port(), "127.0.0.1", target)
        .compose(
            request -> {
              set(request, headers);
              return body.length == 0 ? request.send() : request.send(Buffer.buffer(body));
            })
        .compose(head -> head.body().map(received -> new Got(head.statusCode(), head, received)));
  }

  private static void set(HttpClientRequest request, String... headers) {
    for (int i = 0; i < headers.length; i += 2) {
      request.putHeader(headers[i], headers[i + 1]);
    }
  }

  private Got get(String target, String... headers) {
    return TestServer.await(call(HttpMethod.GET, target, new byte[0], headers));
  }

  @Test
  void readsWritesAndProbes() {
    byte[] all = bytes(SIZE, 1);
    Got put = TestServer.await(call(HttpMethod.PUT, DATA, all));
    assertThat(put.status()).isEqualTo(200);
    assertThat(put.head().version()).isEqualTo(HttpVersion.HTTP_2);
    assertThat(put.head().getHeader("block-durable")).isEqualTo("true");
    assertThat(get(DATA).body().getBytes()).isEqualTo(all);
    Got part = get(DATA, "range", "bytes=10-19");
    assertThat(part.status()).isEqualTo(206);
    assertThat(part.head().getHeader("content-range")).isEqualTo("bytes 10-19/" + SIZE);
    assertThat(part.body().length()).isEqualTo(10);
    Got head = TestServer.await(call(HttpMethod.HEAD, DATA, new byte[0]));
    assertThat(head.head().getHeader("content-length")).isEqualTo(Integer.toString(SIZE));
    assertThat(head.body().length()).isZero();
    Got several = get(DATA, "range", "bytes=0-1,10-11");
    assertThat(several.status()).isEqualTo(206);
    assertThat(several.head().getHeader("content-type")).startsWith("multipart/byteranges");
    assertThat(several.head().getHeader("content-length"))
        .isEqualTo(Integer.toString(several.body().length()));
  }

  @Test
  void errorsAreAnswersAndTheConnectionStays() {
    assertThat(get(DATA, "range", "bytes=9999999-").status()).isEqualTo(416);
    Got refused = TestServer.await(call(HttpMethod.PUT, DATA + "?x=1", bytes(100_000, 1)));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(get("/v1/none").status()).isEqualTo(404);
    assertThat(server.telemetry().openConnections()).isEqualTo(1);
  }

  @Test
  void manyStreamsShareAConnection() {
    List<Future<Got>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(call(HttpMethod.PUT, DATA + "?offset=" + i * 512, bytes(512, i)));
    }
    for (Future<Got> each : all) {
      assertThat(TestServer.await(each).status()).isEqualTo(200);
    }
    assertThat(server.telemetry().openConnections()).isEqualTo(1);
    assertThat(get(DATA, "range", "bytes=512-1023").body().getBytes()).isEqualTo(bytes(512, 1));
  }

  @Test
  void anErrorAmidAnAnswerBreaksItsStreamOnly() {
    server.faults("v").failAt(BlockOp.READ, SIZE - 1, Errno.EIO);
    Future<Got> broken = call(HttpMethod.GET, DATA, new byte[0]);
    TestServer.eventually("it ended", broken::isComplete);
    assertThat(broken.failed()).isTrue();
    assertThat(get(DATA, "range", "bytes=0-0").status()).isEqualTo(206);
    assertThat(server.telemetry().openConnections()).isEqualTo(1);
  }

  @Test
  void aLongRequestIsNoIdleConnection() throws Exception {
    stop();
    start(new TestServer.Bounds().idleTimeout(Duration.ofMillis(400)));
    Gate gate = server.faults("v").hold();
    Future<Got> held = call(HttpMethod.GET, DATA, new byte[0], "range", "bytes=0-511");
    gate.awaitWaiting(1);
    try (RawConnection idle = server.connect()) {
      assertThat(idle.get("/v1").status()).isEqualTo(200);
      assertThat(idle.isClosedByPeer()).isTrue();
    }
    try (RawConnection idle = server.connect()) {
      assertThat(idle.get("/v1").status()).isEqualTo(200);
      assertThat(idle.isClosedByPeer()).isTrue();
    }
    gate.release();
    assertThat(TestServer.await(held).status()).isEqualTo(206);
    TestServer.eventually("then it is", () -> server.telemetry().openConnections() == 0);
  }

  @Test
  void drainingIsAnAnswerToo() {
    server.plane().draining().set(true);
    Got answer = get(DATA);
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.head().getHeader("connection")).isNull();
    assertThat(answer.head().getHeader("retry-after")).isNotNull();
  }
}

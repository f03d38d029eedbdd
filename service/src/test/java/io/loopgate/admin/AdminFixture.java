package io.loopgate.admin;

import io.loopgate.http.DataPlane;
import io.loopgate.telemetry.HttpTelemetry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** An admin port over fakes, and a client for it. */
final class AdminFixture implements AutoCloseable {
  static final BuildInfo BUILD = new BuildInfo("1.2.3", "abc", "25", "5.1.6", "4.2.18");

  final Vertx vertx = Vertx.vertx();
  final FakeSource source = new FakeSource();
  final HttpTelemetry http = new HttpTelemetry(DataPlane.problemCodes());
  final AtomicLong clockOffsetNanos = new AtomicLong();
  final LoopWatch loops = new LoopWatch(() -> System.nanoTime() + clockOffsetNanos.get());
  private final HttpClient client = HttpClient.newHttpClient();
  private final AdminVerticle verticle =
      new AdminVerticle("127.0.0.1", 0, new AdminInputs(source, http, loops, BUILD));

  AdminFixture() {
    http.addLoop(0, 4096);
    await(vertx.deployVerticle(verticle));
  }

  static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  HttpResponse<String> send(String method, String path, String... headers) {
    try {
      return client.send(request(method, path, headers), BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  CompletableFuture<HttpResponse<String>> getAsync(String path) {
    return client.sendAsync(request("GET", path), BodyHandlers.ofString());
  }

  private HttpRequest request(String method, String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + verticle.actualPort() + path))
            .timeout(Duration.ofSeconds(20))
            .method(method, HttpRequest.BodyPublishers.noBody());
    return headers.length == 0 ? request.build() : request.headers(headers).build();
  }

  static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  @Override
  public void close() {
    source.volumesGate.countDown();
    source.telemetryGate.countDown();
    client.close();
    await(vertx.close());
  }
}

package io.loopgate.admin;

import static io.loopgate.admin.AdminFixture.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AdminVerticleTest {
  private final AdminFixture admin = new AdminFixture();

  @AfterEach
  void close() {
    admin.close();
  }

  @ParameterizedTest
  @CsvSource({
    "STARTING, 200, 503, 503",
    "READY, 200, 200, 200",
    "DRAINING, 200, 503, 200",
    "STOPPED, 200, 503, 200"
  })
  void probesFollowTheLifecycle(Lifecycle lifecycle, int live, int ready, int startup) {
    admin.source.lifecycle = lifecycle;
    assertThat(admin.get("/health/live").statusCode()).isEqualTo(live);
    assertThat(admin.get("/health/startup").statusCode()).isEqualTo(startup);
    HttpResponse<String> answer = admin.get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(ready);
    assertThat(header(answer, "content-type")).isEqualTo("application/json");
    if (ready == 503) {
      assertThat(new JsonObject(answer.body()).getString("reason")).isEqualTo(lifecycle.label());
    }
  }

  @Test
  void poisonedAndSilentStorageLeavesTheProbesUp() {
    admin.source.volumes.add(FakeSource.status("disk0", "", "draining", true));
    admin.source.volumesGate = new CountDownLatch(1);
    assertThat(admin.get("/health/ready").statusCode()).isEqualTo(200);
    assertThat(admin.get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void aWedgedLoopIsNotLive() {
    CompletableFuture<EventLoopLag> lag = new CompletableFuture<>();
    admin
        .vertx
        .getOrCreateContext()
        .runOnContext(_ -> lag.complete(admin.loops.watch(admin.vertx, admin.http)));
    lag.orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(admin.get("/health/live").statusCode()).isEqualTo(200);

    admin.clockOffsetNanos.set(Health.WEDGED.plus(Duration.ofSeconds(1)).toNanos());
    HttpResponse<String> answer = admin.get("/health/live");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(answer.body()).getString("reason")).contains("stood still for 3");
    assertThat(admin.get("/health/ready").statusCode()).isEqualTo(200);

    lag.join().stop();
    assertThat(admin.get("/health/live").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/nothing", "/health", "/metrics/", "//", "/v1/volumes"})
  void anUnknownPathIsAProblem(String path) {
    HttpResponse<String> answer = admin.get(path);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(header(answer, "content-type")).isEqualTo("application/problem+json");
    JsonObject problem = new JsonObject(answer.body());
    assertThat(problem.fieldNames())
        .containsExactlyInAnyOrder("type", "title", "status", "detail", "code");
    assertThat(problem.getInteger("status")).isEqualTo(404);
    assertThat(problem.getString("code")).isEqualTo("no-such-resource");
    assertThat(problem.getString("detail")).contains("/metrics");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /metrics",
    "PUT, /",
    "DELETE, /health/live",
    "PATCH, /version",
    "OPTIONS, /metrics",
    "BREW, /health/ready"
  })
  void aWrongMethodIsToldTheRightOnes(String method, String path) {
    HttpResponse<String> answer = admin.send(method, path);
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(header(answer, "allow")).isEqualTo("GET, HEAD");
    assertThat(new JsonObject(answer.body()).getString("code")).isEqualTo("method-not-allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/version", "/health/live", "/health/ready", "/health/startup", "/metrics"})
  void headAnswersAsGetWithoutABody(String path) {
    HttpResponse<String> get = admin.get(path);
    HttpResponse<String> head = admin.send("HEAD", path);
    assertThat(head.statusCode()).isEqualTo(get.statusCode());
    assertThat(head.body()).isEmpty();
    assertThat(header(head, "content-type")).isEqualTo(header(get, "content-type"));
    assertThat(header(head, "content-length")).matches("[1-9]\\d*");
  }

  @Test
  void versionTellsWhatRuns() {
    JsonObject version = new JsonObject(admin.get("/version").body());
    assertThat(version.getMap())
        .containsEntry("name", "loopgate")
        .containsEntry("version", "1.2.3")
        .containsEntry("java", "25")
        .containsEntry("vertx", "5.1.6")
        .containsEntry("netty", "4.2.18");
  }

  @Test
  void theBuildIsDetected() {
    BuildInfo build = BuildInfo.detect();
    assertThat(build.vertx()).matches("5\\.\\d+\\.\\d+.*");
    assertThat(build.netty()).matches("4\\.2\\.\\d+.*");
    assertThat(build.java()).startsWith("25");
    assertThat(build.version()).isNotBlank();
  }

  @Test
  void thePageShowsVolumesAndEscapesWhatItShows() {
    admin.source.volume("disk0", "<script>alert(\"1\")</script> & 'x'");
    HttpResponse<String> answer = admin.get("/");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(header(answer, "content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(answer, "content-security-policy"))
        .startsWith("default-src 'none'; style-src 'unsafe-inline'");
    assertThat(header(answer, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(answer.body())
        .contains("disk0", "workers:4", "read native, write unsupported", "1.0 GiB", "4.0 KiB")
        .contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;")
        .contains("href=\"/metrics\"", "href=\"/health/ready\"")
        .doesNotContain("<script", "http://", "https://", "src=");
    assertThat(admin.source.blockedEventLoop).isFalse();
  }

  @Test
  void thePageIsJsonForPrograms() {
    admin.source.volume("disk0");
    HttpResponse<String> answer = admin.get("/", "Accept", "application/json");
    assertThat(header(answer, "content-type")).isEqualTo("application/json");
    JsonObject page = new JsonObject(answer.body());
    JsonObject volume = page.getJsonArray("volumes").getJsonObject(0);
    assertThat(page.getString("lifecycle")).isEqualTo("ready");
    assertThat(volume.getString("id")).isEqualTo("disk0");
    assertThat(volume.getJsonObject("fastPath").getString("write")).isEqualTo("unsupported");
    assertThat(volume.getLong("sizeBytes")).isEqualTo(1L << 30);
  }

  @Test
  void scrapesThatWaitAreBounded() {
    admin.source.telemetryGate = new CountDownLatch(1);
    List<CompletableFuture<HttpResponse<String>>> scrapes = new ArrayList<>();
    int refused = 5;
    CountDownLatch refusals = new CountDownLatch(refused);
    for (int i = 0; i < AdminHandler.MAX_WAITING + refused; i++) {
      scrapes.add(
          admin
              .getAsync("/metrics")
              .whenComplete(
                  (answer, _) -> {
                    if (answer != null && answer.statusCode() == 503) {
                      assertThat(header(answer, "retry-after")).isEqualTo("1");
                      refusals.countDown();
                    }
                  }));
    }
    assertThat(arrives(admin.source.telemetryEntered)).isTrue();
    assertThat(arrives(refusals)).isTrue();
    assertThat(admin.get("/health/live").statusCode()).isEqualTo(200);
    assertThat(admin.get("/").statusCode()).isEqualTo(200);

    admin.source.telemetryGate.countDown();
    List<Integer> codes =
        scrapes.stream()
            .map(scrape -> scrape.orTimeout(20, TimeUnit.SECONDS).join().statusCode())
            .toList();
    assertThat(codes.stream().filter(code -> code == 200)).hasSize(AdminHandler.MAX_WAITING);
    assertThat(codes.stream().filter(code -> code == 503)).hasSize(refused);
    assertThat(admin.get("/metrics").statusCode()).isEqualTo(200);
    assertThat(admin.source.blockedEventLoop).isFalse();
  }

  @Test
  void metricsAnswerWhileStorageIsSilent() {
    admin.source.volume("disk0");
    assertThat(admin.get("/metrics").body())
        .contains("loopgate_volume_size_bytes{volume=\"disk0\"}");
    admin.source.volumesGate = new CountDownLatch(1);
    HttpResponse<String> answer = admin.get("/metrics");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("loopgate_volume_size_bytes{volume=\"disk0\"}")
        .containsPattern("loopgate_volume_status_age_seconds [1-9]");
  }

  @Test
  void aPortInUseFailsTheStart() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      AdminVerticle late =
          new AdminVerticle(
              "127.0.0.1",
              taken.getLocalPort(),
              new AdminInputs(admin.source, admin.http, admin.loops, AdminFixture.BUILD));
      assertThatThrownBy(() -> AdminFixture.await(admin.vertx.deployVerticle(late)))
          .hasRootCauseInstanceOf(BindException.class);
      assertThat(late.actualPort()).isEqualTo(-1);
    }
    assertThat(admin.get("/metrics").statusCode()).isEqualTo(200);
  }

  @Test
  void aVolumeToldTwiceDoesNotBreakTheScrape() {
    admin.source.volume("disk0");
    admin.source.volume("disk0");
    assertThat(admin.get("/metrics").body()).contains("loopgate_queue_depth{volume=\"disk0\"} 6.0");
  }

  private static boolean arrives(CountDownLatch latch) {
    try {
      return latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}

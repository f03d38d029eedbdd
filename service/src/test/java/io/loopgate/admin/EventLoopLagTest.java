package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.telemetry.Histogram;
import io.loopgate.telemetry.HttpTelemetry;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EventLoopLagTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final HttpTelemetry telemetry = new HttpTelemetry(List.of());
  private final LoopWatch watch = new LoopWatch();

  @AfterEach
  void close() {
    AdminFixture.await(vertx.close());
  }

  private EventLoopLag start() {
    Promise<EventLoopLag> started = Promise.promise();
    loop.runOnContext(_ -> started.complete(watch.watch(vertx, telemetry)));
    return AdminFixture.await(started.future());
  }

  private void waitMillis(long millis) {
    AdminFixture.await(vertx.timer(millis, TimeUnit.MILLISECONDS));
  }

  private void waitForTicks(long ticks) {
    for (int turns = 0; telemetry.loopLag().snapshot().count() < ticks; turns++) {
      assertThat(turns).as("turns of 20 ms").isLessThan(1000);
      waitMillis(20);
    }
  }

  @Test
  void aLoopTicks() {
    EventLoopLag lag = start();
    long begun = lag.lastTickNanos();
    waitForTicks(3);
    assertThat(lag.lastTickNanos() - begun).isGreaterThanOrEqualTo(300_000_000);
    assertThat(watch.size()).isEqualTo(1);
  }

  @Test
  void aStandstillIsSeenWhileItLastsAndCountedOnce() throws InterruptedException {
    EventLoopLag lag = start();
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Promise<Void> freed = Promise.promise();
    loop.runOnContext(
        _ -> {
          blocked.countDown();
          try {
            assertThat(release.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
          }
          freed.complete();
        });
    assertThat(blocked.await(20, TimeUnit.SECONDS)).isTrue();
    long frozen = lag.lastTickNanos();
    // The other thread's own wait is the clock here: the loop has none to offer.
    assertThat(new CountDownLatch(1).await(1500, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(lag.lastTickNanos()).isEqualTo(frozen);
    assertThat(watch.longestStandstill()).isGreaterThan(Duration.ofMillis(1400));
    release.countDown();
    AdminFixture.await(freed.future());
    waitForTicks(1);
    Histogram.Snapshot counted = telemetry.loopLag().snapshot();
    assertThat(counted.sumSeconds()).isGreaterThan(1.2);
    assertThat(counted.counts()[counted.boundsSeconds().length - 1]).isEqualTo(1);
  }

  @Test
  void aStoppedLoopIsNotWatched() {
    EventLoopLag lag = start();
    lag.stop();
    assertThat(watch.size()).isZero();
    assertThat(watch.longestStandstill()).isZero();
    waitMillis(250);
    assertThat(telemetry.loopLag().snapshot().count()).isLessThanOrEqualTo(1);
  }

  @Test
  void onlyAnEventLoopCanBeMeasured() {
    assertThatThrownBy(() -> EventLoopLag.start(vertx, telemetry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("event loop");
  }
}

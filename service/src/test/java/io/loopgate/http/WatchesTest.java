package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.http.HttpConnection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WatchesTest {
  private static final class Transfer implements StallWatch.Transfer {
    private long progress;
    private int cuts;

    @Override
    public long progress() {
      return progress;
    }

    @Override
    public void cut() {
      cuts++;
    }
  }

  @Test
  void cutsWhoStandsStillOnce() {
    StallWatch watch = new StallWatch(100);
    Transfer transfer = new Transfer();
    watch.watch(transfer, 0);
    watch.sweep(99);
    assertThat(transfer.cuts).isZero();
    watch.sweep(100);
    watch.sweep(500);
    assertThat(transfer.cuts).isEqualTo(1);
  }

  @Test
  void progressStartsTheTimeAnew() {
    StallWatch watch = new StallWatch(100);
    Transfer transfer = new Transfer();
    watch.watch(transfer, 0);
    transfer.progress = 1;
    watch.sweep(90);
    watch.sweep(189);
    assertThat(transfer.cuts).isZero();
    watch.sweep(190);
    assertThat(transfer.cuts).isEqualTo(1);
  }

  @Test
  void watchingAgainDoesNotHelpTheOneWatched() {
    StallWatch watch = new StallWatch(100);
    Transfer transfer = new Transfer();
    watch.watch(transfer, 0);
    watch.watch(transfer, 99);
    watch.sweep(100);
    assertThat(transfer.cuts).isEqualTo(1);
  }

  @Test
  void theForgottenAreLeftAlone() {
    StallWatch watch = new StallWatch(100);
    Transfer transfer = new Transfer();
    watch.forget(transfer);
    watch.watch(transfer, 0);
    watch.forget(transfer);
    watch.sweep(1000);
    assertThat(transfer.cuts).isZero();
  }

  @Test
  void oneThatIsCutMayTouchTheWatch() {
    StallWatch watch = new StallWatch(100);
    List<String> cut = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String name = "t" + i;
      watch.watch(
          new StallWatch.Transfer() {
            @Override
            public long progress() {
              return 0;
            }

            @Override
            public void cut() {
              cut.add(name);
              watch.forget(this);
              watch.watch(this, 100);
            }
          },
          0);
    }
    watch.sweep(100);
    assertThat(cut).containsExactlyInAnyOrder("t0", "t1", "t2");
  }

  private static HttpConnection connection(List<HttpConnection> closed) {
    return (HttpConnection)
        Proxy.newProxyInstance(
            WatchesTest.class.getClassLoader(),
            new Class<?>[] {HttpConnection.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("close")) {
                throw new UnsupportedOperationException(method.toString());
              }
              closed.add((HttpConnection) proxy);
              return Future.succeededFuture();
            });
  }

  @Test
  void anIdleConnectionIsClosed() {
    List<HttpConnection> closed = new ArrayList<>();
    ConnectionWatch watch = new ConnectionWatch(100);
    HttpConnection idle = connection(closed);
    watch.opened(idle, 0);
    watch.sweep(99);
    assertThat(closed).isEmpty();
    watch.sweep(100);
    assertThat(closed).hasSize(1);
    watch.closed(idle);
    watch.sweep(1000);
    assertThat(closed).hasSize(1);
  }

  @Test
  void aBusyConnectionIsNotAndTimeCountsFromTheEndOfTheLastRequest() {
    List<HttpConnection> closed = new ArrayList<>();
    ConnectionWatch watch = new ConnectionWatch(100);
    HttpConnection busy = connection(closed);
    watch.opened(busy, 0);
    watch.requestStarted(busy);
    watch.requestStarted(busy);
    watch.sweep(1000);
    watch.requestEnded(busy, 1000);
    watch.sweep(5000);
    watch.requestEnded(busy, 5000);
    watch.sweep(5099);
    assertThat(closed).isEmpty();
    watch.sweep(5100);
    assertThat(closed).hasSize(1);
  }

  @Test
  void unknownConnectionsAreNoMistake() {
    List<HttpConnection> closed = new ArrayList<>();
    ConnectionWatch watch = new ConnectionWatch(100);
    HttpConnection stranger = connection(closed);
    watch.requestStarted(stranger);
    watch.requestEnded(stranger, 5);
    watch.closed(stranger);
    watch.sweep(1000);
    assertThat(closed).isEmpty();
  }
}

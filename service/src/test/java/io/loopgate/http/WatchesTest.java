package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

  @Test
  void anIdleConnectionIsClosed() {
    AtomicInteger closed = new AtomicInteger();
    ConnectionWatch watch = new ConnectionWatch(100);
    ConnectionWatch.Use idle = watch.opened(closed::incrementAndGet, 0);
    watch.sweep(99);
    assertThat(closed.get()).isZero();
    watch.sweep(100);
    assertThat(closed.get()).isEqualTo(1);
    watch.closed(idle);
    watch.sweep(1000);
    assertThat(closed.get()).isEqualTo(1);
  }

  @Test
  void aBusyConnectionIsNotAndTimeCountsFromTheEndOfTheLastRequest() {
    AtomicInteger closed = new AtomicInteger();
    ConnectionWatch watch = new ConnectionWatch(100);
    ConnectionWatch.Use busy = watch.opened(closed::incrementAndGet, 0);
    busy.requestStarted();
    busy.requestStarted();
    watch.sweep(1000);
    busy.requestEnded(1000);
    watch.sweep(5000);
    busy.requestEnded(5000);
    watch.sweep(5099);
    assertThat(closed.get()).isZero();
    watch.sweep(5100);
    assertThat(closed.get()).isEqualTo(1);
  }

  @Test
  void atTheEndAllAreClosedButThoseWithARequest() {
    AtomicInteger closed = new AtomicInteger();
    ConnectionWatch watch = new ConnectionWatch(100);
    ConnectionWatch.Use busy = watch.opened(closed::incrementAndGet, 0);
    watch.opened(closed::incrementAndGet, 0);
    busy.requestStarted();
    watch.closeIdle();
    assertThat(closed.get()).isEqualTo(1);
  }
}

package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightTest {
  @Test
  void admitsUpToItsLimit() {
    InFlight inFlight = new InFlight(2);
    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.tryEnter()).isFalse();
    assertThat(inFlight.count()).isEqualTo(2);
    assertThat(inFlight.enterAnyway()).isTrue();
    assertThat(inFlight.count()).isEqualTo(3);
    inFlight.leave();
    inFlight.leave();
    assertThat(inFlight.tryEnter()).isTrue();
  }

  @Test
  void takesAnotherLimit() {
    InFlight inFlight = new InFlight(1);
    assertThat(inFlight.tryEnter()).isTrue();
    inFlight.limit(2);
    assertThat(inFlight.limit()).isEqualTo(2);
    assertThat(inFlight.tryEnter()).isTrue();
    inFlight.limit(1);
    inFlight.leave();
    assertThat(inFlight.tryEnter()).as("one is still inside").isFalse();
    inFlight.leave();
    assertThat(inFlight.tryEnter()).isTrue();
  }

  @Test
  void nothingEntersWhenClosed() {
    InFlight inFlight = new InFlight(2);
    inFlight.close();
    assertThat(inFlight.isClosed()).isTrue();
    assertThat(inFlight.tryEnter()).isFalse();
    assertThat(inFlight.enterAnyway()).isFalse();
    assertThat(inFlight.count()).isZero();
    inFlight.reopen();
    assertThat(inFlight.tryEnter()).isTrue();
  }

  @Test
  void waitsForNone() throws InterruptedException {
    InFlight inFlight = new InFlight(1);
    assertThat(inFlight.awaitNone(Duration.ZERO)).isTrue();
    assertThat(inFlight.tryEnter()).isTrue();
    assertThat(inFlight.awaitNone(Duration.ZERO)).isFalse();
    assertThat(inFlight.awaitNone(Duration.ofMillis(2))).isFalse();
    AtomicBoolean none = new AtomicBoolean();
    Thread waiter =
        Thread.ofPlatform().start(() -> none.set(inFlight.awaitNone(Duration.ofSeconds(30))));
    Await.until("waiting", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    inFlight.leave();
    assertThat(waiter.join(Duration.ofSeconds(30))).isTrue();
    assertThat(none).isTrue();
  }

  @Test
  void whoIsLeavingMakesRoomAndIsStillWaitedFor() throws InterruptedException {
    InFlight inFlight = new InFlight(1);
    assertThat(inFlight.tryEnter()).isTrue();
    inFlight.beginLeaving();
    assertThat(inFlight.count()).isEqualTo(1);
    assertThat(inFlight.tryEnter()).as("there is room").isTrue();
    assertThat(inFlight.tryEnter()).isFalse();
    assertThat(inFlight.count()).isEqualTo(2);
    inFlight.leave();
    assertThat(inFlight.awaitNone(Duration.ofMillis(2))).isFalse();
    AtomicBoolean none = new AtomicBoolean();
    Thread waiter =
        Thread.ofPlatform().start(() -> none.set(inFlight.awaitNone(Duration.ofSeconds(30))));
    Await.until("waiting", () -> waiter.getState() == Thread.State.TIMED_WAITING);
    inFlight.endLeaving();
    assertThat(waiter.join(Duration.ofSeconds(30))).isTrue();
    assertThat(none).isTrue();
    assertThat(inFlight.count()).isZero();
  }

  @Test
  void anInterruptedWaiterGivesUp() {
    InFlight inFlight = new InFlight(1);
    assertThat(inFlight.tryEnter()).isTrue();
    Thread.currentThread().interrupt();
    assertThat(inFlight.awaitNone(Duration.ofSeconds(30))).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void neverAdmitsMoreThanItsLimitUnderLoad() throws InterruptedException {
    int limit = 3;
    InFlight inFlight = new InFlight(limit);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 5_000; i++) {
                      if (inFlight.tryEnter()) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.onSpinWait();
                        inside.decrementAndGet();
                        if (i % 2 == 0) {
                          inFlight.leave();
                        } else {
                          inFlight.beginLeaving();
                          inFlight.endLeaving();
                        }
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(most.get()).isBetween(1, limit);
    assertThat(inFlight.count()).isZero();
  }
}

package io.loopgate.engine.aio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Slots are given out once at a time. */
class SlotPoolTest {
  @Test
  void everySlotOnceThenNone() {
    SlotPool pool = new SlotPool(5);
    Set<Slot> taken = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      assertThat(pool.used()).isEqualTo(i);
      assertThat(taken.add(Objects.requireNonNull(pool.take()))).isTrue();
    }
    assertThat(pool.take()).isNull();
    for (Slot slot : taken) {
      assertThat(pool.get(slot.index())).isSameAs(slot);
      pool.give(slot);
    }
    assertThat(pool.used()).isZero();
    assertThat(pool.take()).isNotNull();
  }

  @Test
  void manyThreadsNeverShareOne() throws InterruptedException {
    SlotPool pool = new SlotPool(3);
    AtomicIntegerArray owners = new AtomicIntegerArray(3);
    AtomicInteger shared = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 50_000; round++) {
                      Slot slot = pool.take();
                      if (slot != null) {
                        if (owners.incrementAndGet(slot.index()) != 1) {
                          shared.incrementAndGet();
                        }
                        owners.decrementAndGet(slot.index());
                        pool.give(slot);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(shared).hasValue(0);
    assertThat(pool.used()).isZero();
  }

  @Test
  void theOldestIsTheOneHandedOverFirst() {
    SlotPool pool = new SlotPool(3);
    assertThat(pool.oldestHandedNanos()).isEmpty();
    long now = System.nanoTime();
    pool.get(0).hand(1, now - 1_000_000);
    pool.get(2).hand(1, now - 9_000_000);
    assertThat(pool.oldestHandedNanos()).hasValue(now - 9_000_000);
    assertThat(pool.get(2).takeBack()).isTrue();
    assertThat(pool.get(2).takeBack()).as("once only").isFalse();
    assertThat(pool.oldestHandedNanos()).hasValue(now - 1_000_000);
  }
}

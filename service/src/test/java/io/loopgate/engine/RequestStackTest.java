package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests reach the one that takes them in order, none twice, with one wake-up per batch. */
class RequestStackTest {
  private static final int THREADS = 4;
  private static final int EACH = 5_000;

  private final RequestStack stack = new RequestStack();

  private List<Long> takeAll() {
    List<Long> taken = new ArrayList<>();
    for (BlockRequest next = stack.takeAll(); next != null; next = next.next()) {
      taken.add(next.offsetBytes());
    }
    return taken;
  }

  @Test
  void onlyTheFirstOfABatchWakes() {
    assertThat(stack.push(Slots.slot(1))).isTrue();
    assertThat(stack.push(Slots.slot(2))).isFalse();
    assertThat(stack.push(Slots.slot(3))).isFalse();
    assertThat(takeAll()).containsExactly(1L, 2L, 3L);
    assertThat(takeAll()).isEmpty();
    assertThat(stack.push(Slots.slot(4))).isTrue();
    assertThat(takeAll()).containsExactly(4L);
  }

  @Test
  void noRequestOfManyThreadsIsLost() throws InterruptedException {
    AtomicInteger wakeUps = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      long first = (long) t * EACH;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < EACH; i++) {
                      if (stack.push(Slots.slot(first + i))) {
                        wakeUps.incrementAndGet();
                      }
                    }
                  }));
    }
    List<Long> taken = new ArrayList<>();
    int batches = 0;
    while (taken.size() < THREADS * EACH) {
      List<Long> batch = takeAll();
      batches += batch.isEmpty() ? 0 : 1;
      taken.addAll(batch);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(taken).doesNotHaveDuplicates().hasSize(THREADS * EACH);
    assertThat(wakeUps.get()).isEqualTo(batches);
    for (int t = 0; t < THREADS; t++) {
      long first = (long) t * EACH;
      assertThat(taken.stream().filter(n -> n >= first && n < first + EACH).toList()).isSorted();
    }
  }
}

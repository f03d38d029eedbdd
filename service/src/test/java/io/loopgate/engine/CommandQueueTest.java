package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.block.BlockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandQueueTest {
  @Test
  void givesBackInTheOrderTaken() throws InterruptedException {
    CommandQueue queue = new CommandQueue(4);
    for (int round = 0; round < 10; round++) {
      List<BlockRequest> slots = LongStream.range(0, 4).mapToObj(Slots::slot).toList();
      slots.forEach(slot -> assertThat(offer(queue, slot)).isTrue());
      assertThat(queue.size()).isEqualTo(4);
      assertThat(queue.take()).isSameAs(slots.get(0));
      assertThat(queue.poll()).isSameAs(slots.get(1));
      assertThat(queue.take()).isSameAs(slots.get(2));
      assertThat(queue.poll()).isSameAs(slots.get(3));
      assertThat(queue.poll()).isNull();
      assertThat(queue.size()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 2", "3, 4", "4, 4", "5, 8", "64, 64", "65, 128"})
  void isFullAtAPowerOfTwo(int asked, int capacity) {
    CommandQueue queue = new CommandQueue(asked);
    for (int i = 0; i < capacity; i++) {
      assertThat(offer(queue, Slots.slot(i))).isTrue();
    }
    assertThat(offer(queue, Slots.slot(-1 + capacity))).isFalse();
    assertThat(queue.size()).isEqualTo(capacity);
    assertThat(queue.poll()).isNotNull();
    assertThat(offer(queue, Slots.slot(99))).isTrue();
    assertThat(offer(queue, Slots.slot(100))).isFalse();
  }

  @Test
  void aTakerSleepsUntilSomethingComes() throws InterruptedException {
    CommandQueue queue = new CommandQueue(2);
    AtomicReference<Object> taken = new AtomicReference<>("nothing");
    Thread taker =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    taken.set(queue.take());
                    taken.set(queue.take());
                  } catch (InterruptedException e) {
                    taken.set("interrupted");
                  }
                });
    Await.until("asleep", () -> taker.getState() == Thread.State.WAITING);
    BlockRequest slot = Slots.slot(1);
    assertThat(offer(queue, slot)).isTrue();
    Await.until("taken", () -> taken.get() == slot);
    taker.interrupt();
    assertThat(taker.join(Duration.ofSeconds(30))).isTrue();
    assertThat(taken.get()).isEqualTo("interrupted");
  }

  @Test
  void losesAndDoublesNothingUnderLoad() throws InterruptedException {
    int producers = 3;
    int consumers = 3;
    int each = 20_000;
    CommandQueue queue = new CommandQueue(16);
    AtomicInteger left = new AtomicInteger(producers * each);
    List<List<Long>> seen = new ArrayList<>();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int c = 0; c < consumers; c++) {
      List<Long> mine = new ArrayList<>();
      seen.add(mine);
      threads.add(
          thread(
              failures,
              () -> {
                while (left.get() > 0) {
                  BlockRequest taken = queue.poll();
                  if (taken == null) {
                    Thread.onSpinWait();
                  } else {
                    mine.add(taken.offsetBytes());
                    left.decrementAndGet();
                  }
                }
              }));
    }
    for (int p = 0; p < producers; p++) {
      long base = (long) p * each;
      threads.add(
          thread(
              failures,
              () -> {
                for (long i = 0; i < each; i++) {
                  BlockRequest slot = Slots.slot(base + i);
                  while (!offer(queue, slot)) {
                    Thread.onSpinWait();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(failures).isEmpty();
    List<Long> all = seen.stream().flatMap(List::stream).sorted().toList();
    assertThat(all).hasSize(producers * each);
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i)).isEqualTo(i);
    }
    for (List<Long> mine : seen) {
      // What one producer queued comes to one consumer in order.
      long[] last = {-1, -1, -1};
      for (long number : mine) {
        int producer = (int) (number / each);
        assertThat(number).isGreaterThan(last[producer]);
        last[producer] = number;
      }
    }
  }

  private static Thread thread(Queue<Throwable> failures, Runnable work) {
    Thread thread = Thread.ofPlatform().unstarted(work);
    thread.setUncaughtExceptionHandler((where, failure) -> failures.add(failure));
    thread.start();
    return thread;
  }

  @Test
  void anEmptyQueueAnswersAtOnce() {
    assertThat(new CommandQueue(1).poll()).isNull();
    assertThatThrownBy(
            () -> {
              Thread.currentThread().interrupt();
              new CommandQueue(1).take();
            })
        .isInstanceOf(InterruptedException.class);
  }

  /** Takes commands one after the other until it is interrupted, and notes them. */
  private static Thread taker(CommandQueue queue, Queue<BlockRequest> taken) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                while (true) {
                  taken.add(queue.take());
                }
              } catch (InterruptedException e) {
                // Told to stop.
                Thread.currentThread().interrupt();
              }
            });
  }

  @Test
  void oneWakeUpServesAllThatWasAddedBefore() throws InterruptedException {
    CommandQueue queue = new CommandQueue(8);
    Queue<BlockRequest> taken = new ConcurrentLinkedQueue<>();
    Thread taker = taker(queue, taken);
    Await.until("asleep", () -> taker.getState() == Thread.State.WAITING);
    for (int i = 0; i < 5; i++) {
      assertThat(queue.add(Slots.slot(i))).isTrue();
    }
    assertThat(taker.getState()).isEqualTo(Thread.State.WAITING);
    assertThat(taken).isEmpty();
    queue.wake();
    Await.until("all taken", () -> taken.size() == 5);
    Await.until("asleep again", () -> taker.getState() == Thread.State.WAITING);
    // One for nothing does no harm.
    queue.wake();
    queue.wake();
    offer(queue, Slots.slot(5));
    Await.until("taken as well", () -> taken.size() == 6);
    taker.interrupt();
    assertThat(taker.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void whoIsToldToStopTakesNothingMore() {
    CommandQueue queue = new CommandQueue(2);
    offer(queue, Slots.slot(1));
    Thread.currentThread().interrupt();
    assertThatThrownBy(queue::take).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void whoIsToldToStopLeavesItsWakeUpToOthers() throws InterruptedException {
    for (int round = 0; round < 300; round++) {
      CommandQueue queue = new CommandQueue(4);
      Queue<BlockRequest> taken = new ConcurrentLinkedQueue<>();
      Thread leaving = taker(queue, taken);
      Thread staying = taker(queue, taken);
      Await.until(
          "both asleep",
          () ->
              leaving.getState() == Thread.State.WAITING
                  && staying.getState() == Thread.State.WAITING);
      BlockRequest slot = Slots.slot(round);
      Thread interrupter = Thread.ofPlatform().start(leaving::interrupt);
      assertThat(offer(queue, slot)).isTrue();
      Await.until("taken by one of them", () -> taken.size() == 1);
      assertThat(interrupter.join(Duration.ofSeconds(30))).isTrue();
      staying.interrupt();
      assertThat(leaving.join(Duration.ofSeconds(30))).isTrue();
      assertThat(staying.join(Duration.ofSeconds(30))).isTrue();
    }
  }

  private static boolean offer(CommandQueue queue, BlockRequest request) {
    boolean added = queue.add(request);
    queue.wake();
    return added;
  }
}

package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.block.BlockRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CompletionQueueTest {
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<Long> ended = new ArrayList<>();
  private final CompletionQueue queue = new CompletionQueue(3, tasks::add);

  private BlockRequest slot(long number) {
    return Slots.slot(queue, number, (request, result) -> ended.add(request.offsetBytes()));
  }

  private void runTasks() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  @Test
  void endsABatchOldestFirstWithOneWakeUp() {
    for (long i = 0; i < 100; i++) {
      slot(i).completeFromAnywhere(1);
    }
    assertThat(tasks).hasSize(1);
    assertThat(ended).isEmpty();
    runTasks();
    assertThat(ended).hasSize(100).isSorted();
    slot(100).completeFromAnywhere(1);
    assertThat(tasks).as("the next batch wakes the loop again").hasSize(1);
    runTasks();
    assertThat(ended).hasSize(101);
    assertThat(queue.loopIndex()).isEqualTo(3);
  }

  @Test
  void aCompletionMayUseItsSlotAgain() {
    List<BlockRequest> batch = new ArrayList<>();
    for (long i = 0; i < 3; i++) {
      long number = i;
      batch.add(
          Slots.slot(
              queue,
              number,
              (request, result) -> {
                ended.add(number);
                request
                    .prepare(
                        request.op(),
                        number,
                        1,
                        0,
                        0,
                        BlockRequest.NO_DEADLINE,
                        (again, ignored) -> ended.add(10 + number))
                    .completeFromAnywhere(1);
              }));
    }
    batch.forEach(slot -> slot.completeFromAnywhere(1));
    runTasks();
    assertThat(ended).containsExactly(0L, 1L, 2L, 10L, 11L, 12L);
  }

  @Test
  void aCompletionThatFailsDoesNotTakeOthersWithIt() {
    slot(0).completeFromAnywhere(1);
    Slots.slot(
            queue,
            1,
            (request, result) -> {
              throw new IllegalStateException("a bug in a completion");
            })
        .completeFromAnywhere(1);
    Slots.slot(
            queue,
            2,
            (request, result) -> {
              throw new StackOverflowError("too deep");
            })
        .completeFromAnywhere(1);
    slot(3).completeFromAnywhere(1);
    runTasks();
    assertThat(ended).containsExactly(0L, 3L);
  }

  @Test
  void notEvenABrokenJvmTakesTheRestOfABatchWithIt() {
    InternalError broken = new InternalError("a broken JVM");
    for (long i = 0; i < 6; i++) {
      long number = i;
      Slots.slot(
              queue,
              number,
              (request, result) -> {
                ended.add(number);
                if (number % 2 == 1) {
                  throw broken;
                }
              })
          .completeFromAnywhere(1);
    }
    assertThatThrownBy(this::runTasks).isSameAs(broken);
    assertThat(ended).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
  }

  @Test
  void carriesTheResult() {
    List<Long> results = new ArrayList<>();
    Slots.slot(queue, 0, (request, result) -> results.add(result)).completeFromAnywhere(-5);
    runTasks();
    assertThat(results).containsExactly(-5L);
  }

  @Test
  void losesNothingUnderLoad() throws InterruptedException {
    int threads = 4;
    int each = 5_000;
    AtomicInteger completions = new AtomicInteger();
    AtomicInteger elsewhere = new AtomicInteger();
    try (TestLoop loop = new TestLoop(0)) {
      List<Thread> workers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        workers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int i = 0; i < each; i++) {
                        Slots.slot(
                                loop.completions(),
                                i,
                                (request, result) -> {
                                  completions.incrementAndGet();
                                  if (!loop.isHere()) {
                                    elsewhere.incrementAndGet();
                                  }
                                })
                            .completeFromAnywhere(1);
                      }
                    }));
      }
      for (Thread worker : workers) {
        assertThat(worker.join(Duration.ofSeconds(30))).isTrue();
      }
      Await.until("all ended", () -> completions.get() == threads * each);
      loop.run(() -> {});
      assertThat(completions.get()).isEqualTo(threads * each);
      assertThat(elsewhere.get()).isZero();
      assertThat(loop.tasks()).isLessThanOrEqualTo(threads * each);
    }
  }
}

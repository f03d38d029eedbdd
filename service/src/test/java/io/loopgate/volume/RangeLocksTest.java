package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.engine.Await;
import io.loopgate.engine.TestLoop;
import io.loopgate.telemetry.LoopTelemetry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RangeLocksTest {
  private final RangeLocks locks = new RangeLocks();
  private final List<TestLoop> loops = List.of(new TestLoop(0), new TestLoop(1), new TestLoop(2));
  private final List<IoLoop> ios =
      loops.stream().map(loop -> new IoLoop(loop, new LoopTelemetry(loop.index(), 1))).toList();
  private final List<String> order = new ArrayList<>();
  private final Map<String, RangeLocks.Lock> held = new HashMap<>();

  @AfterEach
  void close() {
    loops.forEach(TestLoop::close);
  }

  private void hold(String name, long start, long end, boolean exclusive) {
    loops
        .getFirst()
        .run(
            () ->
                locks.hold(
                    ios.getFirst(),
                    start,
                    end,
                    exclusive,
                    lock -> {
                      order.add(name);
                      held.put(name, lock);
                    }));
  }

  private void release(String name) {
    RangeLocks.Lock lock = Objects.requireNonNull(held.get(name), name);
    loops.getFirst().run(lock::release);
  }

  @Test
  void sharedLocksStandTogetherAndExclusiveOnesAlone() {
    hold("a", 0, 10, false);
    hold("b", 5, 15, false);
    hold("c", 9, 20, true);
    assertThat(order).containsExactly("a", "b");
    release("a");
    assertThat(order).containsExactly("a", "b");
    release("b");
    assertThat(order).containsExactly("a", "b", "c");
    hold("d", 9, 10, false);
    assertThat(order).hasSize(3);
    release("c");
    assertThat(order).endsWith("d");
  }

  @Test
  void neighboursDoNotTouch() {
    hold("a", 0, 10, true);
    hold("b", 10, 20, true);
    hold("c", 19, 21, true);
    assertThat(order).containsExactly("a", "b");
  }

  @Test
  void firstComeFirstServed() {
    hold("a", 0, 10, false);
    hold("writer", 0, 10, true);
    hold("late reader", 0, 10, false);
    hold("elsewhere", 50, 60, true);
    assertThat(order).containsExactly("a", "elsewhere");
    release("a");
    assertThat(order).containsExactly("a", "elsewhere", "writer");
    release("writer");
    assertThat(order).endsWith("late reader");
  }

  @Test
  void oneReleaseMayGrantMany() {
    hold("a", 0, 100, true);
    hold("b", 0, 10, false);
    hold("c", 5, 20, false);
    hold("d", 30, 40, true);
    release("a");
    assertThat(order).containsExactly("a", "b", "c", "d");
  }

  @Test
  void neverTwoConflictingHoldersAndEveryoneGetsIn() {
    int cells = 48;
    int each = 1_500;
    AtomicIntegerArray holders = new AtomicIntegerArray(cells);
    AtomicInteger conflicts = new AtomicInteger();
    AtomicInteger elsewhere = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    for (int l = 0; l < loops.size(); l++) {
      TestLoop loop = loops.get(l);
      IoLoop io = ios.get(l);
      Random random = new Random(l);
      for (int i = 0; i < each; i++) {
        int start = random.nextInt(cells);
        int end = Math.min(cells, start + 1 + random.nextInt(8));
        boolean exclusive = random.nextInt(3) > 0;
        boolean atOnce = random.nextBoolean();
        loop.execute(
            () ->
                locks.hold(
                    io,
                    start,
                    end,
                    exclusive,
                    lock -> {
                      if (!loop.isHere()) {
                        elsewhere.incrementAndGet();
                      }
                      for (int cell = start; cell < end; cell++) {
                        int before = holders.getAndAdd(cell, exclusive ? 1_000 : 1);
                        if (exclusive ? before != 0 : before >= 1_000) {
                          conflicts.incrementAndGet();
                        }
                      }
                      Runnable leave =
                          () -> {
                            for (int cell = start; cell < end; cell++) {
                              holders.addAndGet(cell, exclusive ? -1_000 : -1);
                            }
                            done.incrementAndGet();
                            lock.release();
                          };
                      if (atOnce) {
                        leave.run();
                      } else {
                        loop.execute(leave);
                      }
                    }));
      }
    }
    Await.until("all granted and released", () -> done.get() == loops.size() * each);
    loops.forEach(loop -> loop.run(() -> {}));
    assertThat(conflicts.get()).isZero();
    assertThat(elsewhere.get()).isZero();
    assertThat(done.get()).isEqualTo(loops.size() * each);
  }
}

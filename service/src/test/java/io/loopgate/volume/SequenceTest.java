package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTest {
  private final Sequence sequence = new Sequence("abc");

  @Test
  void risesWhenAChangeBeginsAndEnds() {
    assertThat(sequence.current()).isZero();
    sequence.begin();
    assertThat(sequence.current()).isEqualTo(1);
    assertThat(sequence.end()).isEqualTo(2);
    assertThat(sequence.current()).isEqualTo(2);
  }

  @Test
  void readsOfStillContentShareANumber() {
    assertThat(sequence.forRead()).isEqualTo(sequence.forRead());
    sequence.begin();
    long during = sequence.forRead();
    assertThat(sequence.forRead()).isGreaterThan(during);
    long after = sequence.end();
    assertThat(after).isGreaterThan(during);
    assertThat(sequence.forRead()).isEqualTo(after);
    assertThat(sequence.forRead()).isEqualTo(after);
  }

  @Test
  void aConditionalChangeBeginsOnlyAtItsNumber() {
    assertThat(sequence.beginIf(1)).isFalse();
    assertThat(sequence.beginIf(-1)).isFalse();
    assertThat(sequence.beginIf(Long.MAX_VALUE)).isFalse();
    assertThat(sequence.beginIf(0)).isTrue();
    assertThat(sequence.beginIf(0)).isFalse();
    assertThat(sequence.end()).isEqualTo(2);
    assertThat(sequence.beginIf(2)).isTrue();
  }

  @Test
  void whatWasReadDuringAChangeIsNoConditionWhileItLasts() {
    sequence.begin();
    long during = sequence.forRead();
    assertThat(sequence.beginIf(during)).isFalse();
    assertThat(sequence.beginIf(sequence.current())).isFalse();
    long after = sequence.end();
    assertThat(sequence.beginIf(during)).isFalse();
    assertThat(sequence.beginIf(after)).isTrue();
  }

  @Test
  void oneOfManyWritersWithOneTagWins() throws InterruptedException {
    for (int round = 0; round < 300; round++) {
      long expected = sequence.forRead();
      AtomicInteger winners = new AtomicInteger();
      inParallel(
          3,
          () -> {
            if (sequence.beginIf(expected)) {
              winners.incrementAndGet();
              sequence.end();
            }
          });
      assertThat(winners.get()).isEqualTo(1);
    }
  }

  @Test
  void readsInFlightNeverShareANumber() throws InterruptedException {
    sequence.begin();
    List<Long> seen = new ArrayList<>();
    inParallel(
        3,
        () -> {
          List<Long> mine = new ArrayList<>();
          for (int i = 0; i < 2_000; i++) {
            mine.add(sequence.forRead());
          }
          synchronized (seen) {
            seen.addAll(mine);
          }
        });
    Set<Long> distinct = new HashSet<>(seen);
    assertThat(distinct).hasSize(6_000);
    assertThat(sequence.end()).isNotIn(distinct);
  }

  private static void inParallel(int count, Runnable work) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(Thread.ofPlatform().start(work));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
  }

  @Test
  void tagsAreStrongAndComeBack() {
    assertThat(sequence.tag(7)).isEqualTo("\"abc-7\"");
    assertThat(sequence.tag(8)).isEqualTo("\"abc-8\"");
    for (long number : new long[] {0, 1, 10, 999_999_999_999L}) {
      assertThat(sequence.numberOf(sequence.tag(number))).isEqualTo(number);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\"",
        "\"\"",
        "*",
        "abc-7",
        "W/\"abc-7\"",
        "\"abc-\"",
        "\"abc-07\"",
        "\"abc--7\"",
        "\"abc-+7\"",
        "\"abc-7",
        "\"abd-7\"",
        "\"abc-7 \"",
        "\"abc-x\"",
        "\"abc-\u0667\"",
        "\"abc-99999999999999999999\"",
        "\"abc-7\", \"abc-8\"",
        "\"ABC-7\""
      })
  void otherTextsAreNoTags(String text) {
    assertThat(sequence.numberOf(text)).isEqualTo(-1);
  }
}

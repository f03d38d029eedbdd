package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
  private static final long FIRST = 1_000;

  @Test
  void commandsBeginAtEqualDistancesWhateverTheTime() {
    Schedule schedule = new Schedule(FIRST, 1e6);
    for (int i = 0; i < 100; i++) {
      // The time now is of no account: who comes late finds when it was meant to begin.
      assertThat(schedule.nextNanos(i % 2 == 0 ? 0 : Long.MAX_VALUE)).isEqualTo(FIRST + i * 1000L);
      assertThat(schedule.nextNanos(0)).isEqualTo(FIRST + i * 1000L);
      schedule.begin();
    }
  }

  @Test
  void partsOfNanosecondsDoNotAddUpToAnotherRate() {
    Schedule schedule = new Schedule(0, 3e6);
    for (int i = 0; i < 3_000_000; i++) {
      schedule.begin();
    }
    assertThat(schedule.nextNanos(0)).isBetween(999_999_999L, 1_000_000_001L);
  }

  @Test
  void withoutARateTheNextBeginsNow() {
    assertThat(Pace.AT_ONCE.nextNanos(42)).isEqualTo(42);
    Pace.AT_ONCE.begin();
    assertThat(Pace.AT_ONCE.nextNanos(43)).isEqualTo(43);
  }
}

package io.loopgate.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.bench.stats.CpuUse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProcessCpuTest {
  @Test
  void timesStandBehindANameThatMayHoldAnything() {
    String stat =
        "4242 (a) S 1 (2)) R 1 4242 4242 0 -1 4194304 10 20 30 40 123 45 6 7 20 0 21 0 99 1 2";
    assertThat(ProcessCpu.Ticks.parse(stat)).isEqualTo(new ProcessCpu.Ticks(123, 45));
  }

  @Test
  void theTimesOfChildrenStandBehindTheOwn() {
    String stat = "1 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
    assertThat(ProcessCpu.Ticks.ofChildren(stat)).isEqualTo(new ProcessCpu.Ticks(13, 14));
  }

  @Test
  void aProcessHasTimesAndMemoryAndOneThatEndedHasNone() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    assertThat(ProcessCpu.of(self).totalSeconds()).isPositive();
    assertThat(ProcessCpu.residentMib(self)).isPositive();
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    assertThat(ProcessCpu.of(ended.toHandle()).totalSeconds()).isZero();
    assertThat(ProcessCpu.residentMib(ended.toHandle())).isZero();
  }

  @Test
  void workOfThisProcessIsSeen() {
    CpuUse before = ProcessCpu.now();
    long sum = 0;
    while (ProcessCpu.now().since(before).totalSeconds() < 0.05) {
      for (int i = 0; i < 100_000; i++) {
        sum += i ^ sum;
      }
    }
    assertThat(sum).isNotZero();
    assertThat(ProcessCpu.now().scope()).isEqualTo(CpuUse.Scope.PROCESS);
  }

  @Test
  void theLineOfAllProcessorsIsRead() {
    CpuUse use = MachineCpu.parse("cpu  100 20 300 9999 50 6 7 8 0 0");
    assertThat(use.userSeconds()).isEqualTo(1.2);
    assertThat(use.systemSeconds()).isEqualTo(3.13);
    assertThat(MachineCpu.now().totalSeconds()).isPositive();
  }

  @Test
  void aWatchThatHasNotEndedKnowsNothing() {
    MachineCpu.Watch watch = new MachineCpu.Watch(Duration.ofHours(1), Duration.ofHours(1));
    assertThat(watch.over(3)).isEmpty();
  }
}

package io.loopgate.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SpreadTest {
  /** A second with so many reads, of one microsecond of processor time each. */
  private static Measurement reads(long count) {
    return new Measurement(
        1,
        count,
        0,
        count * 4096,
        0,
        new Latency(1, 2, 3, 4),
        new CpuUse(count * 0.25e-6, count * 0.75e-6, 0, CpuUse.Scope.PROCESS),
        Map.of());
  }

  private static List<Measurement> rounds(long... counts) {
    return Arrays.stream(counts).mapToObj(SpreadTest::reads).toList();
  }

  @Test
  void theMedianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Spread.of(DoubleStream.of(9, 1, 5))).contains(new Spread(5, 1, 9));
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheMiddleTwo() {
    assertThat(Spread.of(DoubleStream.of(8, 1, 2, 4))).contains(new Spread(3, 1, 8));
  }

  @Test
  void nothingHasNoSpread() {
    assertThat(Spread.of(DoubleStream.empty())).isEmpty();
    assertThat(Spread.ofPairs(rounds(), rounds(1), Measurement::iops)).isEmpty();
  }

  @Test
  void ratiosAreOfTheSameRound() {
    // The machine got four times slower on the way, and both with it.
    List<Measurement> fast = rounds(200, 100, 52);
    List<Measurement> base = rounds(100, 50, 25);
    assertThat(Spread.ofPairs(fast, base, Measurement::iops)).contains(new Spread(2, 2, 2.08));
  }

  @Test
  void roundsThatOnlyOneHasDoNotCount() {
    assertThat(Spread.ofPairs(rounds(10, 20), rounds(10, 10, 10), Measurement::iops))
        .contains(new Spread(1.5, 1, 2));
  }

  @Test
  void aBaselineOfNothingHasNoRatio() {
    assertThat(Spread.ofPairs(rounds(10), rounds(0), Measurement::iops)).isEmpty();
  }

  @Test
  void aMeasurementIsPerSecondAndPerCommand() {
    Measurement measured =
        new Measurement(
            2,
            300,
            100,
            300L << 20,
            100L << 20,
            new Latency(0, 0, 0, 0),
            new CpuUse(0.4, 0.8, 0.04, CpuUse.Scope.PROCESS),
            Map.of());
    assertThat(measured.iops()).isEqualTo(200);
    assertThat(measured.readIops()).isEqualTo(150);
    assertThat(measured.writeIops()).isEqualTo(50);
    assertThat(measured.mibPerSecond()).isEqualTo(200);
    assertThat(measured.userMicrosPerCommand()).isCloseTo(1000, within(1e-6));
    assertThat(measured.systemMicrosPerCommand()).isCloseTo(2000, within(1e-6));
    assertThat(measured.machineryMicrosPerCommand()).isCloseTo(100, within(1e-6));
  }

  @Test
  void aMeasurementOfNothingIsZeroAndNotInfinite() {
    assertThat(reads(0).iops()).isZero();
    assertThat(reads(0).cpuMicrosPerCommand()).isZero();
  }

  @Test
  void aDifferenceOfProcessorTimesKeepsItsSumAndIsNeverNegative() {
    CpuUse before = new CpuUse(1.00, 2.00, 0.5, CpuUse.Scope.PROCESS);
    CpuUse after = new CpuUse(0.98, 2.10, 0.6, CpuUse.Scope.PROCESS);
    CpuUse since = after.since(before);
    assertThat(since.userSeconds()).isZero();
    assertThat(since.systemSeconds()).isCloseTo(0.08, within(1e-9));
    assertThat(since.machinerySeconds()).isCloseTo(0.1, within(1e-9));
  }
}

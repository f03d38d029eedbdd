package io.loopgate.bench.stats;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The middle of several values, with the least and the greatest. */
public record Spread(double median, double min, double max) {
  /** Returns the spread of the values that are numbers, or nothing if there are none. */
  public static Optional<Spread> of(DoubleStream values) {
    double[] sorted = values.filter(value -> !Double.isNaN(value)).sorted().toArray();
    if (sorted.length == 0) {
      return Optional.empty();
    }
    return Optional.of(new Spread(median(sorted), sorted[0], sorted[sorted.length - 1]));
  }

  /** Returns the spread of one figure over measurements. */
  public static Optional<Spread> of(
      List<Measurement> measurements, ToDoubleFunction<Measurement> figure) {
    return of(measurements.stream().mapToDouble(figure));
  }

  /**
   * Returns the spread of the ratios of pairs: each round's figure to the baseline's of the same
   * round. Rounds that only one of both has do not count, nor those whose baseline is 0.
   */
  public static Optional<Spread> ofPairs(
      List<Measurement> measurements,
      List<Measurement> baseline,
      ToDoubleFunction<Measurement> figure) {
    int rounds = Math.min(measurements.size(), baseline.size());
    return of(
        IntStream.range(0, rounds)
            .filter(round -> figure.applyAsDouble(baseline.get(round)) > 0)
            .mapToDouble(
                round ->
                    figure.applyAsDouble(measurements.get(round))
                        / figure.applyAsDouble(baseline.get(round))));
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
  }
}

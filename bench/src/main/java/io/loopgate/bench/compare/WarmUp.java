package io.loopgate.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Decides when a contender is warm: two slices in a row are alike, or twice the wanted time is
 * over. What compiles while it runs is not asked before the wanted time. For one thread.
 */
final class WarmUp {
  /** So many slices make up the wanted time. */
  static final int SLICES = 5;

  private static final int SLICES_MIN = 2;
  private static final int SLICES_MAX = 2 * SLICES;
  private static final double ALIKE_WITHIN = 0.1;

  private final int least;
  private final List<Double> rates = new ArrayList<>();

  WarmUp(boolean slow) {
    this.least = slow ? SLICES : SLICES_MIN;
  }

  /** A slice came to so many commands per second. */
  void add(double ratePerSecond) {
    rates.add(ratePerSecond);
  }

  boolean isDone() {
    return rates.size() >= SLICES_MAX || (rates.size() >= least && areLastAlike());
  }

  private boolean areLastAlike() {
    double last = rates.getLast();
    double before = rates.get(rates.size() - 2);
    return Math.abs(last - before) < ALIKE_WITHIN * before;
  }

  @Override
  public String toString() {
    return rates.stream()
        .map(rate -> String.format(Locale.ROOT, "%.0f", rate))
        .collect(Collectors.joining(" ", "", " /s"));
  }
}

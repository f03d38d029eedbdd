package io.loopgate.bench.seed;

import java.util.Map;

/**
 * A mail and the figures it published.
 *
 * @param id what users call it
 * @param subject its subject
 * @param date year and month
 * @param hardware what was measured on
 * @param unit of the figures
 * @param figures by name
 */
public record Mail(
    String id,
    String subject,
    String date,
    String hardware,
    String unit,
    Map<String, Double> figures) {
  /** Copies the figures. */
  public Mail {
    figures = Map.copyOf(figures);
  }

  /**
   * Returns a ratio of two of the figures.
   *
   * @throws IllegalArgumentException if there is no such figure
   */
  public double ratio(String of, String to) {
    return figure(of) / figure(to);
  }

  private double figure(String name) {
    Double figure = figures.get(name);
    if (figure == null) {
      throw new IllegalArgumentException(id + " has no figure \"" + name + "\"");
    }
    return figure;
  }
}

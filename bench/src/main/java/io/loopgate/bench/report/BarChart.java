package io.loopgate.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A bar chart as inline SVG: bars to the right, their names before them, their values behind. */
final class BarChart {
  private static final int WIDTH = 860;
  private static final int NAMES_WIDTH = 210;
  private static final int VALUES_WIDTH = 230;
  private static final int BARS_WIDTH = WIDTH - NAMES_WIDTH - VALUES_WIDTH;
  private static final int ROW_HEIGHT = 24;
  private static final int BAR_HEIGHT = 14;
  private static final int GAP = 8;

  private final String title;
  private final List<Bar> bars = new ArrayList<>();

  BarChart(String title) {
    this.title = title;
  }

  /**
   * A part of a bar.
   *
   * @param style a class of the page's style sheet
   */
  record Part(double value, String style) {}

  /**
   * A bar of parts, one behind the other.
   *
   * @param min where the line of the spread begins
   * @param max where it ends; 0: no line
   * @param value what is written behind the bar
   */
  record Bar(String name, List<Part> parts, double min, double max, String value) {
    /** Copies the list. */
    Bar {
      parts = List.copyOf(parts);
    }

    double length() {
      return parts.stream().mapToDouble(Part::value).sum();
    }
  }

  void add(Bar bar) {
    bars.add(bar);
  }

  boolean isEmpty() {
    return bars.isEmpty();
  }

  String svg() {
    int height = bars.size() * ROW_HEIGHT + GAP;
    double longest =
        bars.stream().mapToDouble(bar -> Math.max(bar.length(), bar.max())).max().orElse(0);
    double scale = longest > 0 ? BARS_WIDTH / longest : 0;
    Xml svg = new Xml();
    svg.raw(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n",
            WIDTH,
            height,
            Xml.escape(title)));
    for (int i = 0; i < bars.size(); i++) {
      draw(svg, bars.get(i), i * ROW_HEIGHT + GAP / 2, scale);
    }
    return svg.raw("</svg>\n").toString();
  }

  private static void draw(Xml svg, Bar bar, int top, double scale) {
    int middle = top + ROW_HEIGHT / 2;
    int textLine = middle + 4;
    svg.element(
        String.format(
            Locale.ROOT, "text x=\"%d\" y=\"%d\" class=\"name\"", NAMES_WIDTH - GAP, textLine),
        bar.name());
    double x = NAMES_WIDTH;
    for (Part part : bar.parts()) {
      double width = part.value() * scale;
      svg.raw(
          String.format(
              Locale.ROOT,
              "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"%s\"/>\n",
              x,
              middle - BAR_HEIGHT / 2,
              width,
              BAR_HEIGHT,
              part.style()));
      x += width;
    }
    if (bar.max() > 0) {
      double from = NAMES_WIDTH + bar.min() * scale;
      double to = NAMES_WIDTH + bar.max() * scale;
      svg.raw(
          String.format(
              Locale.ROOT,
              "<path d=\"M%.1f %dH%.1fM%.1f %dv6M%.1f %dv6\" class=\"spread\"/>\n",
              from,
              middle,
              to,
              from,
              middle - 3,
              to,
              middle - 3));
      x = Math.max(x, to);
    }
    svg.element(
        String.format(Locale.ROOT, "text x=\"%.1f\" y=\"%d\" class=\"value\"", x + GAP, textLine),
        bar.value());
  }
}

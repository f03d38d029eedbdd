package io.loopgate.it;

import java.io.IOException;
import java.util.List;

/** One scrape of the admin port. */
final class Metrics {
  private final List<String> lines;

  private Metrics(List<String> lines) {
    this.lines = lines;
  }

  static Metrics scrape(ServerProcess server) throws IOException {
    try (Wire wire = new Wire(server.admin())) {
      return new Metrics(wire.exchange("GET", "/metrics").expect(200).text().lines().toList());
    }
  }

  /** Returns the value of a series, written as it is exported: labels in alphabetical order. */
  long value(String series) {
    return lines.stream()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series));
  }

  /** Returns the sum of all series of a metric. */
  long sum(String metric) {
    return lines.stream()
        .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Returns how many commands of a volume had this outcome on the path that does not wait. */
  long fastPath(String volume, String op, String result) {
    return value(
        "loopgate_io_fastpath_total{op=\"%s\",result=\"%s\",volume=\"%s\"}"
            .formatted(op, result, volume));
  }
}

package io.loopgate.admin;

import io.loopgate.telemetry.Histogram;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers the values of one scrape: every metric of the catalogue becomes a family, with the label
 * names the catalogue gives it. Not for more than one thread.
 */
final class Families {
  private static final Metric[] ALL = Metric.values();

  private final Map<Metric, List<DataPointSnapshot>> points = new EnumMap<>(Metric.class);

  Families() {
    for (Metric metric : ALL) {
      points.put(metric, new ArrayList<>());
    }
  }

  /** Returns what the registry wants to know before the first scrape. */
  static List<MetricFamilyDescriptor> descriptors() {
    return Arrays.stream(ALL)
        .map(metric -> MetricFamilyDescriptor.of(type(metric), metadata(metric), metric.labels()))
        .toList();
  }

  /** Adds the value of a counter or a gauge. */
  void value(Metric metric, double value, String... labelValues) {
    Labels labels = labels(metric, labelValues);
    add(
        metric,
        metric.kind() == Metric.Kind.COUNTER
            ? CounterDataPointSnapshot.builder().value(value).labels(labels).build()
            : GaugeDataPointSnapshot.builder().value(value).labels(labels).build());
  }

  /** Adds the value of a counter or a gauge that counts; beyond 2^53 it is rounded. */
  void count(Metric metric, long value, String... labelValues) {
    value(metric, (double) value, labelValues);
  }

  /** Adds a gauge that says yes or no. */
  void flag(Metric metric, boolean value, String... labelValues) {
    value(metric, value ? 1 : 0, labelValues);
  }

  /** Adds metadata. */
  void info(Metric metric, String... labelValues) {
    add(metric, InfoDataPointSnapshot.builder().labels(labels(metric, labelValues)).build());
  }

  /** Adds a histogram. */
  void histogram(Metric metric, Histogram.Snapshot histogram, String... labelValues) {
    double[] bounds =
        Arrays.copyOf(histogram.boundsSeconds(), histogram.boundsSeconds().length + 1);
    bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
    add(
        metric,
        HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, histogram.counts()))
            .sum(histogram.sumSeconds())
            .labels(labels(metric, labelValues))
            .build());
  }

  /** Returns everything that was added. */
  MetricSnapshots build() {
    MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
    points.forEach((metric, added) -> snapshots.metricSnapshot(snapshot(metric, added)));
    return snapshots.build();
  }

  private void add(Metric metric, DataPointSnapshot point) {
    points.computeIfAbsent(metric, key -> new ArrayList<>()).add(point);
  }

  private static Labels labels(Metric metric, String... values) {
    return Labels.of(metric.labels(), List.of(values));
  }

  private static MetricMetadata metadata(Metric metric) {
    return new MetricMetadata(metric.familyName(), metric.help());
  }

  private static MetricType type(Metric metric) {
    return switch (metric.kind()) {
      case COUNTER -> MetricType.COUNTER;
      case GAUGE -> MetricType.GAUGE;
      case HISTOGRAM -> MetricType.HISTOGRAM;
      case INFO -> MetricType.INFO;
    };
  }

  private static MetricSnapshot snapshot(Metric metric, List<DataPointSnapshot> added) {
    MetricMetadata metadata = metadata(metric);
    return switch (metric.kind()) {
      case COUNTER ->
          new CounterSnapshot(
              metadata, added.stream().map(CounterDataPointSnapshot.class::cast).toList());
      case GAUGE ->
          new GaugeSnapshot(
              metadata, added.stream().map(GaugeDataPointSnapshot.class::cast).toList());
      case HISTOGRAM ->
          new HistogramSnapshot(
              metadata, added.stream().map(HistogramDataPointSnapshot.class::cast).toList());
      case INFO ->
          new InfoSnapshot(
              metadata, added.stream().map(InfoDataPointSnapshot.class::cast).toList());
    };
  }
}

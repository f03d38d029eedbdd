package io.loopgate.admin;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Turns what volumes tell into gauges; those that share a label are summed. */
final class VolumeGauges {
  /** A reason is prose: more of it would bloat every scrape. */
  private static final int MAX_REASON_CHARS = 120;

  private final UnaryOperator<String> labelOf;

  VolumeGauges(UnaryOperator<String> labelOf) {
    this.labelOf = labelOf;
  }

  private static final class Sums {
    private int volumes;
    private long queueDepth;
    private long inFlight;
    private long inFlightLimit;
    private long sizeBytes;
    private long allocatedBytes;
    private long poisoned;
    private final Map<String, Long> states = new TreeMap<>();

    private Sums() {
      VolumeStatus.STATES.forEach(state -> states.put(state, 0L));
    }

    private void add(VolumeStatus status) {
      volumes++;
      queueDepth += status.queueDepth();
      inFlight += status.inFlight();
      inFlightLimit += status.inFlightLimit();
      sizeBytes += status.sizeBytes();
      allocatedBytes += status.allocatedBytes();
      poisoned += status.poisoned() ? 1 : 0;
      // A state that is not in the list would be a series nobody expects.
      states.computeIfPresent(status.state(), (state, count) -> count + 1);
    }
  }

  void addTo(Families families, VolumeSampler.Sample sample) {
    families.value(Metric.VOLUME_STATUS_AGE, sample.ageSeconds());
    Map<String, Sums> byLabel = new TreeMap<>();
    for (VolumeStatus status : sample.volumes()) {
      String label = labelOf.apply(status.id());
      Sums sums = byLabel.computeIfAbsent(label, key -> new Sums());
      // A volume that is replaced may be told twice, but its information only once.
      if (sums.volumes == 0 && !label.equals(Metric.OTHER_VOLUMES)) {
        families.info(Metric.ENGINE_INFO, label, status.engine(), cut(status.engineReason()));
      }
      sums.add(status);
    }
    byLabel.forEach((label, sums) -> add(families, label, sums));
  }

  private static void add(Families families, String volume, Sums sums) {
    families.count(Metric.QUEUE_DEPTH, sums.queueDepth, volume);
    families.count(Metric.VOLUME_IN_FLIGHT, sums.inFlight, volume);
    families.count(Metric.VOLUME_IN_FLIGHT_LIMIT, sums.inFlightLimit, volume);
    families.count(Metric.VOLUME_SIZE_BYTES, sums.sizeBytes, volume);
    families.count(Metric.VOLUME_ALLOCATED_BYTES, sums.allocatedBytes, volume);
    families.count(Metric.VOLUME_POISONED, sums.poisoned, volume);
    sums.states.forEach(
        (state, count) -> families.count(Metric.VOLUME_STATE, count, volume, state));
  }

  private static String cut(String reason) {
    return reason.length() <= MAX_REASON_CHARS
        ? reason
        : reason.substring(0, MAX_REASON_CHARS - 3) + "...";
  }
}

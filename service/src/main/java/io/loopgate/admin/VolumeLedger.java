package io.loopgate.admin;

import io.loopgate.telemetry.VolumeTelemetry;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Decides which volumes have series of their own, and keeps sums from falling when a volume goes.
 *
 * <p>A sum over volumes that fell would look like a restart to Prometheus, which would then count
 * all that remains once more. So what a volume counted stays in the sums after it is gone, and a
 * volume never moves out of "other" while it lives. Not for more than one thread.
 */
final class VolumeLedger {
  private final int maxVolumes;
  private final Set<String> shown = new LinkedHashSet<>();
  private final Set<String> summed = new HashSet<>();
  private final Set<VolumeTelemetry> living = identitySet();
  private final VolumeTotals goneOfAll = new VolumeTotals();
  private final VolumeTotals goneOfOther = new VolumeTotals();
  private boolean otherExists;

  VolumeLedger(int maxVolumes) {
    this.maxVolumes = maxVolumes;
  }

  /**
   * The sums of one scrape.
   *
   * @param byVolume totals by the value of the volume label
   * @param all totals of every volume there is and was
   */
  record Page(SortedMap<String, VolumeTotals> byVolume, VolumeTotals all) {}

  /** Takes note of the volumes there are now. */
  Page turn(List<VolumeTelemetry> telemetry, List<VolumeStatus> statuses) {
    retire(telemetry);
    assign(telemetry, statuses);
    SortedMap<String, VolumeTotals> byVolume = new TreeMap<>();
    VolumeTotals all = new VolumeTotals();
    all.add(goneOfAll);
    for (String id : shown) {
      byVolume.put(id, new VolumeTotals());
    }
    if (otherExists) {
      VolumeTotals other = new VolumeTotals();
      other.add(goneOfOther);
      byVolume.put(Metric.OTHER_VOLUMES, other);
    }
    for (VolumeTelemetry volume : telemetry) {
      all.add(volume);
      byVolume.computeIfAbsent(label(volume.volume()), id -> new VolumeTotals()).add(volume);
    }
    return new Page(byVolume, all);
  }

  /** Returns the label of a volume that was there at the last turn. */
  String label(String id) {
    return shown.contains(id) ? id : Metric.OTHER_VOLUMES;
  }

  private void retire(List<VolumeTelemetry> telemetry) {
    Set<VolumeTelemetry> now = identitySet();
    now.addAll(telemetry);
    for (VolumeTelemetry known : living) {
      if (!now.contains(known)) {
        goneOfAll.add(known);
        if (summed.contains(known.volume())) {
          goneOfOther.add(known);
        }
      }
    }
    living.clear();
    living.addAll(now);
  }

  /** Two lives of one volume are two sets of counters, even if they were equal. */
  private static Set<VolumeTelemetry> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private void assign(List<VolumeTelemetry> telemetry, List<VolumeStatus> statuses) {
    Set<String> ids = new LinkedHashSet<>();
    telemetry.stream().map(VolumeTelemetry::volume).sorted().forEach(ids::add);
    statuses.stream().map(VolumeStatus::id).sorted().forEach(ids::add);
    shown.retainAll(ids);
    summed.retainAll(ids);
    for (String id : ids) {
      if (shown.contains(id) || summed.contains(id)) {
        continue;
      }
      // A volume may well be called "other": then it cannot be told from the sum.
      if (shown.size() < maxVolumes && !id.equals(Metric.OTHER_VOLUMES)) {
        shown.add(id);
      } else {
        summed.add(id);
        otherExists = true;
      }
    }
  }
}

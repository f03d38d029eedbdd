package io.loopgate.backing.linear;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import java.util.List;
import java.util.function.Function;

/** What several backings can do together: what each of them can. */
final class WeakestCapabilities {
  private WeakestCapabilities() {}

  static BackingCapabilities of(List<Backing> segments) {
    return new BackingCapabilities(
        weakest(segments, BackingCapabilities::nowaitRead),
        weakest(segments, BackingCapabilities::nowaitWrite),
        weakest(segments, BackingCapabilities::direct),
        weakest(segments, BackingCapabilities::punchHole),
        weakest(segments, BackingCapabilities::zeroRange),
        weakest(segments, BackingCapabilities::dsync),
        weakest(segments, BackingCapabilities::stable),
        weakest(segments, BackingCapabilities::extents),
        segments.stream().allMatch(segment -> segment.capabilities().neverBlocks()));
  }

  private static Support weakest(
      List<Backing> segments, Function<BackingCapabilities, Support> capability) {
    for (int i = 0; i < segments.size(); i++) {
      Support support = capability.apply(segments.get(i).capabilities());
      if (!support.available()) {
        return Support.no(name(i, segments.get(i)) + ": " + support.reason());
      }
    }
    List<String> reasons =
        segments.stream()
            .map(segment -> capability.apply(segment.capabilities()).reason())
            .distinct()
            .toList();
    return Support.yes(String.join(", and ", reasons));
  }

  /** Names a segment for a person. */
  static String name(int index, Backing segment) {
    return "segment " + (index + 1) + " (" + segment.description() + ")";
  }
}

package io.loopgate.volume;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import io.loopgate.layer.NowaitMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Which directions of a volume have a path that does not wait, and why.
 *
 * <p>NOWAIT means two things. On a buffered volume the layer tries each command on the event loop,
 * and the page cache has it or not. On a direct volume the same call would wait for the device
 * whenever it succeeds; there the path is asynchronous submission, which is the engine's.
 *
 * @param read whether reads have
 * @param write whether writes have
 * @param reason one line that explains both
 */
public record FastPath(boolean read, boolean write, String reason) {
  static FastPath of(NowaitMode mode, BackingCapabilities capabilities, Support asynchronous) {
    if (capabilities.direct().available()) {
      return asynchronous.available()
          ? of(asynchronous.reason() + "; ", capabilities)
          : new FastPath(
              false,
              false,
              "direct I/O is never tried on an event loop, where it would wait for the device, and "
                  + asynchronous.reason()
                  + "; aio and uring submit it without waiting");
    }
    return mode == NowaitMode.OFF
        ? new FastPath(false, false, "nowait is off")
        : of("", capabilities);
  }

  private static FastPath of(String how, BackingCapabilities capabilities) {
    Support reads = capabilities.nowaitRead();
    Support writes = capabilities.nowaitWrite();
    return new FastPath(
        reads.available(),
        writes.available(),
        how + "reads: " + reads.reason() + "; writes: " + writes.reason());
  }

  /** Returns what a volume has whose commands are split over segments: what all of them have. */
  static FastPath joined(List<FastPath> segments, List<String> names) {
    List<String> reasons = segments.stream().map(FastPath::reason).distinct().toList();
    List<String> named = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      named.add(names.get(i) + ": " + segments.get(i).reason());
    }
    return new FastPath(
        segments.stream().allMatch(FastPath::read),
        segments.stream().allMatch(FastPath::write),
        reasons.size() == 1 ? reasons.getFirst() : String.join("; ", named));
  }

  /** Returns the word of the wire contract for a direction. */
  public static String word(boolean available) {
    return available ? "native" : "unsupported";
  }
}

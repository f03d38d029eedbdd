package io.loopgate.volume;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import io.loopgate.layer.NowaitMode;

/**
 * Which directions of a volume can be answered without waiting, and why.
 *
 * @param read whether reads can
 * @param write whether writes can
 * @param reason one line that explains both
 */
public record FastPath(boolean read, boolean write, String reason) {
  static FastPath of(NowaitMode mode, BackingCapabilities capabilities) {
    if (mode == NowaitMode.OFF) {
      return new FastPath(false, false, "nowait is off");
    }
    Support reads = capabilities.nowaitRead();
    Support writes = capabilities.nowaitWrite();
    return new FastPath(
        reads.available(),
        writes.available(),
        "reads: " + reads.reason() + "; writes: " + writes.reason());
  }

  /** Returns the word of the wire contract for a direction. */
  public static String word(boolean available) {
    return available ? "native" : "unsupported";
  }
}

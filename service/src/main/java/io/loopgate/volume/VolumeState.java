package io.loopgate.volume;

import java.util.Locale;

/**
 * Where a volume is in its life. Poisoned is not a state: a poisoned volume is open and still
 * reads.
 */
public enum VolumeState {
  /** Serves requests. */
  OPEN,
  /** Takes no new requests for a moment, while its shape changes. */
  PAUSED,
  /** Takes no new requests and finishes those it has. */
  DRAINING,
  /** Has given everything back. */
  CLOSED;

  /** Returns the name in documents and metrics. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package io.loopgate.telemetry;

import java.util.Locale;

/** What a client asked for, as metrics tell it: a closed set, so that no client can make series. */
public enum RequestKind {
  READ,
  HEAD,
  WRITE,
  ZERO,
  DISCARD,
  FLUSH,
  EXTENTS,
  CHECKSUM,
  QUEUE,
  OPTIONS,
  CONTROL,
  OTHER;

  /** Returns the label value. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

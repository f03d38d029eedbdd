package io.loopgate.admin;

import java.util.Locale;

/** Where the process stands; readiness and the startup probe follow from it. */
public enum Lifecycle {
  /** Volumes are being opened, the data port is not bound. */
  STARTING,
  /** Requests are served. */
  READY,
  /** No new work is wanted; what is in flight is finished. */
  DRAINING,
  /** The data port is closed. */
  STOPPED;

  /** Returns the name as clients see it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

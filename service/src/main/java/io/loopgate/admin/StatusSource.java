package io.loopgate.admin;

import io.loopgate.telemetry.VolumeTelemetry;
import java.util.List;

/**
 * What the admin port asks the rest of the process. Every method may be called from every thread.
 */
public interface StatusSource {
  /** Returns where the process stands; never blocks, since event loops call it. */
  Lifecycle lifecycle();

  /**
   * Returns the status of every volume, one entry per id. May block on storage: it is called on one
   * thread of the admin port's own, at most one call at a time, and given up after a second.
   */
  List<VolumeStatus> volumes();

  /**
   * Returns the counters of every volume there is; reads memory only, and never waits for storage.
   * A volume that is opened again has new counters.
   */
  List<VolumeTelemetry> telemetry();
}

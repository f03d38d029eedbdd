package io.loopgate.admin;

import java.util.List;

/**
 * What a volume tells about itself at one moment, for metrics and the status page.
 *
 * @param id the volume's id
 * @param engine the engine in effect
 * @param engineReason why it is this engine; empty if it was asked for
 * @param fastPathRead whether reads may be answered without waiting
 * @param fastPathWrite whether writes may be done without waiting
 * @param fastPathReason why the fast path is as it is; empty if there is nothing to say
 * @param sizeBytes the size clients see
 * @param allocatedBytes what the backing occupies
 * @param state one of {@link #STATES}
 * @param readOnly whether writes are refused
 * @param poisoned whether a flush failed, so that writes are refused until it is reopened
 * @param queueDepth commands that wait for a thread or a ring
 * @param inFlight commands accepted and not completed
 * @param inFlightLimit the most commands that may be in flight
 * @param sequence the sequence of the last change
 */
public record VolumeStatus(
    String id,
    String engine,
    String engineReason,
    String fastPathRead,
    String fastPathWrite,
    String fastPathReason,
    long sizeBytes,
    long allocatedBytes,
    String state,
    boolean readOnly,
    boolean poisoned,
    long queueDepth,
    int inFlight,
    int inFlightLimit,
    long sequence) {
  /** Every state a volume can have, in the order of its life. */
  public static final List<String> STATES = List.of("open", "paused", "draining", "closed");
}

package io.loopgate.layer;

import io.loopgate.backing.SegmentMap;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.engine.InFlight;
import io.loopgate.engine.LoopEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Runs commands of a joined backing on its segments, each of which has an engine of its own: a
 * command is split, all parts are submitted, and it ends once, when the last of them has.
 *
 * <p>After device mapper, which splits an I/O over its targets, hangs the parts on the parent and
 * waits for the whole once (dm polling, 5.18: 3e08773c3841). A part that fails is the failure of
 * the command: the first in the order of offsets, and what is done is what lies before it. The
 * other parts run all the same.
 *
 * <p>Slots of parts belong to the loop of their command and are used again; nothing is allocated
 * once a loop has as many as it needs, and nothing is shared between loops but two counters.
 */
public final class SegmentSplit implements LoopEngine {
  /** More than any engine has threads. */
  private static final int SLACK = 512;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final LoopEngine[] engines;
  private final SegmentMap map;
  private final InFlight commands;
  private final InFlight submitting = new InFlight(Integer.MAX_VALUE);
  private final ConcurrentMap<CompletionSink, SplitPool> pools = new ConcurrentHashMap<>();

  /**
   * Joins engines.
   *
   * @param engines one for each segment, each opened with {@link #segmentCapacity}; closed with
   *     this one
   * @param capacity how many commands may be in flight
   */
  public SegmentSplit(List<LoopEngine> engines, SegmentMap map, int capacity) {
    if (engines.size() != map.count()) {
      throw new IllegalArgumentException(
          engines.size() + " engines for " + map.count() + " segments");
    }
    this.engines = engines.toArray(LoopEngine[]::new);
    this.map = map;
    this.commands = new InFlight(capacity);
  }

  /**
   * Returns the capacity that the engine of a segment needs, so that no part is refused while there
   * is room for its command. A command has one part at most in each segment; but an engine may
   * count a part for a moment after its command has ended.
   */
  public static int segmentCapacity(int capacity) {
    return capacity + SLACK;
  }

  @Override
  public boolean submit(BlockRequest request) {
    // Entered before the look at the other, which close() does the other way round: no command is
    // caught between engines that take parts and engines that are closed.
    submitting.enterAnyway();
    try {
      return commands.tryEnter() && submitParts(request);
    } finally {
      submitting.leave();
    }
  }

  private boolean submitParts(BlockRequest whole) {
    boolean flush = whole.op() == BlockOp.FLUSH;
    long startBytes = whole.remainingOffsetBytes();
    long endBytes = startBytes + whole.remainingBytes();
    int first = flush ? 0 : map.segmentAt(startBytes);
    int last = flush ? engines.length - 1 : map.segmentAt(Math.max(startBytes, endBytes - 1));
    Split split = pool(whole.home()).split(whole, commands);
    for (int segment = first; segment <= last; segment++) {
      long partStart = flush ? 0 : Math.max(startBytes, map.startBytes(segment));
      long partEnd = flush ? 0 : Math.min(endBytes, map.endBytes(segment));
      Split.Part part =
          flush
              ? split.flush(segment)
              : split.part(
                  segment,
                  partStart - startBytes,
                  partStart - map.startBytes(segment),
                  partEnd - partStart);
      if (!engines[segment].submit(part.request())) {
        if (segment == first) {
          split.withdraw(part);
          return false;
        }
        // Parts before it are on their way and are waited for; those behind it are not begun.
        part.refused();
        break;
      }
    }
    split.submitted();
    return true;
  }

  private SplitPool pool(CompletionSink home) {
    SplitPool pool = pools.get(home);
    if (pool != null) {
      return pool;
    }
    SplitPool made = new SplitPool(home);
    SplitPool before = pools.putIfAbsent(home, made);
    return before == null ? made : before;
  }

  /** Returns how many parts have not ended. */
  @Override
  public int inFlight() {
    int sum = 0;
    for (LoopEngine engine : engines) {
      sum += engine.inFlight();
    }
    return sum;
  }

  @Override
  public boolean drain(Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean drained = true;
    for (LoopEngine engine : engines) {
      drained &= engine.drain(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
    return drained;
  }

  @Override
  public void close() {
    commands.close();
    submitting.awaitNone(CLOSE_TIMEOUT);
    for (LoopEngine engine : engines) {
      engine.close();
    }
  }
}

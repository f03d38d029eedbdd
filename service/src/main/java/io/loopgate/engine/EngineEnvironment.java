package io.loopgate.engine;

import io.loopgate.backing.Backing;
import io.loopgate.telemetry.VolumeTelemetry;
import java.util.List;

/**
 * What an engine is opened on.
 *
 * @param volume the volume's name, for thread names and messages
 * @param backing where commands run; the engine does not close it
 * @param queueCapacity how many commands may be in flight
 * @param unsafeInline whether the user allowed blocking calls on event loops
 * @param loops the event loops that will submit; the first is home to what needs one
 * @param telemetry where waits and outcomes are counted
 * @param options how to run
 * @param blockingWrites the volume's count of writes that may wait; every engine keeps it
 */
public record EngineEnvironment(
    String volume,
    Backing backing,
    int queueCapacity,
    boolean unsafeInline,
    List<LoopContext> loops,
    VolumeTelemetry telemetry,
    EngineOptions options,
    BlockingWrites blockingWrites) {
  /** An environment with default options and a count of its own. */
  public EngineEnvironment(
      String volume,
      Backing backing,
      int queueCapacity,
      boolean unsafeInline,
      List<LoopContext> loops,
      VolumeTelemetry telemetry) {
    this(
        volume,
        backing,
        queueCapacity,
        unsafeInline,
        loops,
        telemetry,
        EngineOptions.DEFAULT,
        new BlockingWrites());
  }

  /** Copies the list. */
  public EngineEnvironment {
    loops = List.copyOf(loops);
    if (queueCapacity < 1) {
      throw new IllegalArgumentException(
          "queueCapacity has to be at least 1, not " + queueCapacity);
    }
  }

  /** Returns the same on another backing. */
  public EngineEnvironment withBacking(Backing newBacking) {
    return new EngineEnvironment(
        volume, newBacking, queueCapacity, unsafeInline, loops, telemetry, options, blockingWrites);
  }

  /**
   * Returns the environment of one of several segments. Its count of writes is its own: the lock
   * they wait for is the file's.
   *
   * @param number the segment, counted from 1
   * @param capacity how many parts of commands may be in flight
   */
  public EngineEnvironment forSegment(int number, Backing segment, int capacity) {
    return new EngineEnvironment(
        volume + "-s" + number,
        segment,
        capacity,
        unsafeInline,
        loops,
        telemetry,
        options,
        new BlockingWrites());
  }

  /** Returns the environment of one of several queues: its loops, and its share of the depth. */
  EngineEnvironment forQueue(int queue, int queues) {
    List<LoopContext> served =
        loops.stream().filter(loop -> loop.index() % queues == queue).toList();
    int depth = Math.ceilDiv(options.depth(), queues);
    return new EngineEnvironment(
        volume + "-q" + queue,
        backing,
        queueCapacity,
        unsafeInline,
        served,
        telemetry,
        options.withQueues(1).withDepth(depth),
        blockingWrites);
  }
}

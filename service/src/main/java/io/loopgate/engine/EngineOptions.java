package io.loopgate.engine;

/**
 * How an engine is to run, whichever it is; what does not concern a strategy, it ignores.
 *
 * @param queues how many independent queues (nr_hw_queues); an event loop always uses the same one.
 *     0: what suits the engine, which is one per loop for rings and one for workers
 * @param depth how many commands the kernel or the threads have at a time, over all queues; what
 *     comes beyond waits in the engine, in order (hw_queue_depth of the loop driver, 128)
 * @param merge whether adjacent small commands that wait together become one
 * @param punt whether io_uring is told not to try without waiting (IOSQE_ASYNC): to compare with
 */
public record EngineOptions(int queues, int depth, boolean merge, boolean punt) {
  /** How many commands at a time unless told otherwise, as in the loop driver. */
  public static final int DEFAULT_DEPTH = 128;

  /** What runs well untuned. */
  public static final EngineOptions DEFAULT = new EngineOptions(0, DEFAULT_DEPTH, true, false);

  private static final int QUEUES_MAX = 64;
  private static final int DEPTH_MAX = 4096;

  /** Checks the numbers; the message names the one that is wrong. */
  public EngineOptions {
    if (queues < 0 || queues > QUEUES_MAX) {
      throw new IllegalArgumentException(
          "queues has to be 0 (what suits the engine) to " + QUEUES_MAX + ", not " + queues);
    }
    if (depth < 1 || depth > DEPTH_MAX) {
      throw new IllegalArgumentException("depth has to be 1 to " + DEPTH_MAX + ", not " + depth);
    }
  }

  /** Returns the same with another number of queues. */
  public EngineOptions withQueues(int newQueues) {
    return new EngineOptions(newQueues, depth, merge, punt);
  }

  /** Returns the same with another depth. */
  public EngineOptions withDepth(int newDepth) {
    return new EngineOptions(queues, newDepth, merge, punt);
  }

  /** Returns the same, merging or not. */
  public EngineOptions withMerge(boolean newMerge) {
    return new EngineOptions(queues, depth, newMerge, punt);
  }

  /** Returns the same, punting or not. */
  public EngineOptions withPunt(boolean newPunt) {
    return new EngineOptions(queues, depth, merge, newPunt);
  }
}

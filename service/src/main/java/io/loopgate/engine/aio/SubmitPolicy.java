package io.loopgate.engine.aio;

/** How transfers are handed to the kernel on the event loop. */
public enum SubmitPolicy {
  /**
   * With {@code RWF_NOWAIT} where that is worth it; what would wait goes to the worker of the
   * queue. For files whose blocks may still have to be allocated.
   */
  NOWAIT_FIRST,
  /**
   * As they are: no hint, no flag, no fallback. For files that are proven to be written as a whole,
   * where submission has nothing to wait for.
   */
  PLAIN
}

package io.loopgate.bench.shape;

/** What of a buffered file is in the page cache when a run begins. */
public enum Cache {
  /** All of it. */
  HOT,
  /** Nothing of it. */
  COLD
}

package io.loopgate.bench.shape;

/** What a file holds before it is measured. */
public enum Fill {
  /** Every block was written, so nothing has to be allocated any more. */
  WRITTEN,
  /** A hole from end to end. */
  SPARSE
}

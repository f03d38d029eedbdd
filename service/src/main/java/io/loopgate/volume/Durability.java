package io.loopgate.volume;

/** What a successful write means when the request does not say. */
public enum Durability {
  /** On stable media. */
  DURABLE,
  /** In the page cache, durable after the next successful flush. */
  WRITEBACK
}

package io.loopgate.config;

/** What is logged. */
public enum LogLevel {
  /** What failed. */
  ERROR,
  /** What may fail soon. */
  WARN,
  /** What the operator wants to know once. */
  INFO,
  /** What helps to find a fault. */
  DEBUG,
  /** Everything. */
  TRACE
}

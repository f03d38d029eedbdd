package io.loopgate.layer;

/** Whether commands of a buffered volume are first tried without waiting. */
public enum NowaitMode {
  /** Never: every command goes to the engine. */
  OFF,
  /** Every read and write, unless the file says that it never works. */
  ALWAYS,
  /** The kernel's hint made adaptive: where it pays. */
  AUTO
}

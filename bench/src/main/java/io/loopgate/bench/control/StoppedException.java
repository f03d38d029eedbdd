package io.loopgate.bench.control;

/** Something was given up since the user wants to stop. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Without a message: it is not an error. */
  public StoppedException() {
    super("stopped");
  }
}

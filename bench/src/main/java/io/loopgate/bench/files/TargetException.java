package io.loopgate.bench.files;

/** A target cannot be made here; the message is one line for the user. */
public final class TargetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public TargetException(String message) {
    super(message);
  }
}

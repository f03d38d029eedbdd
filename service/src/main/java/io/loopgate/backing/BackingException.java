package io.loopgate.backing;

/**
 * A backing cannot be opened or changed. The message is one line for the person who configured it:
 * what happened, to which file, and what to do.
 */
public final class BackingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /** Creates one with the error number of the call that failed, or 0 where no call failed. */
  public BackingException(String message, int errno) {
    super(message);
    this.errno = errno;
  }

  /** Returns the error number of the call that failed, or 0. */
  public int errno() {
    return errno;
  }
}

package io.loopgate.sys;

import io.loopgate.block.Errno;

/** A call that sets something up was refused; calls of the data path return numbers instead. */
public final class SystemCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int errno;

  /** Creates one for the negative result of a call. */
  public SystemCallException(String call, long result) {
    super(call + ": " + Errno.name(-result));
    this.errno = (int) -result;
  }

  /** Returns the error number. */
  public int errno() {
    return errno;
  }
}

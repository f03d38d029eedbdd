package io.loopgate.app;

/** The server cannot start; the message is one line for the operator. */
final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }
}

package io.loopgate.bench.peer;

/** A server does not come up, or has gone; the message says what it said. */
final class PeerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PeerException(String message) {
    super(message);
  }
}

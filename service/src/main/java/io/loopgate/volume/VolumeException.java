package io.loopgate.volume;

/**
 * A control operation on volumes was refused; the message says what to do, for a client or an
 * operator.
 */
public final class VolumeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why, as far as a caller has to tell cases apart. */
  public enum Kind {
    /** The condition of the request does not hold. */
    PRECONDITION,
    /** What was asked for makes no sense. */
    INVALID,
    /** There is no volume of this name. */
    NO_SUCH_VOLUME,
    /** There is one already. */
    EXISTS,
    /** Requests are still being served. */
    IN_USE,
    /** It is not allowed for this volume. */
    FORBIDDEN,
    /** The idempotency key was used for another request. */
    IDEMPOTENCY_CONFLICT,
    /** There is no room for it. */
    NO_SPACE,
    /** Something below failed. */
    FAILED
  }

  private final Kind kind;

  /** Creates one. */
  public VolumeException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** Returns why. */
  public Kind kind() {
    return kind;
  }
}

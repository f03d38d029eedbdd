package io.loopgate.config;

/** A configuration that cannot be used; the message is one line that says where and what to do. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ConfigException(String message) {
    super(Quoting.oneLine(message));
  }

  ConfigException(Origin origin, String message) {
    this(origin.subject() + ": " + message);
  }

  ConfigException(Origin origin, String message, Throwable cause) {
    super(Quoting.oneLine(origin.subject() + ": " + message), cause);
  }

  /** Returns the message, which is always there. */
  public String line() {
    return String.valueOf(getMessage());
  }
}

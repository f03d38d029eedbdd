package io.loopgate.config;

/** A value that {@link ServerConfig} refuses; tells the key, so that its source can be named. */
final class InvalidSettingException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final ConfigKey key;
  private final String reason;

  InvalidSettingException(ConfigKey key, String reason) {
    super(key.key() + " " + reason);
    this.key = key;
    this.reason = reason;
  }

  ConfigKey key() {
    return key;
  }

  /** Returns the message without the key. */
  String reason() {
    return reason;
  }
}

package io.loopgate.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The keys of a server. Each is a flag ({@code --data-dir}), a variable ({@code LOOPGATE_DATA_DIR})
 * and a key in YAML ({@code data-dir}).
 */
public enum ConfigKey {
  /** Where volumes without a path of their own live. */
  DATA_DIR("data-dir", "DIR", "./data", "Folder of volumes made here and of the demo volume."),
  /** Data plane. */
  LISTEN("listen", "HOST:PORT", "127.0.0.1:8080", "Address of the data port."),
  /** Metrics, health and status. */
  ADMIN("admin", "HOST:PORT", "127.0.0.1:8081", "Address of the admin port: metrics, health."),
  /** Number of event loops. */
  EVENT_LOOPS("event-loops", "N", "0", "Event loops; 0 is one for each core."),
  /** How sockets are served. */
  TRANSPORT("transport", "NAME", "auto", "How sockets are served: auto, epoll, io_uring or nio."),
  /** One volume, repeatable. */
  VOLUME("volume", "ID=PATH[,KEY=VALUE]...", "", "A volume; may be given several times."),
  /** Allows engines that block an event loop. */
  UNSAFE_INLINE(
      "unsafe-inline", "BOOL", "false", "Allow the inline engine on backings that may block."),
  /** Bound of a body that is held until it is checked. */
  MAX_HELD_BYTES(
      "max-held-bytes", "SIZE", "16MiB", "Longest body held until it is checked; at least 1MiB."),
  /** Bound of all bytes in flight. */
  MAX_BUFFER_BYTES("max-buffer-bytes", "SIZE", "128MiB", "Bytes in flight over all connections."),
  /** Bound of connections. */
  MAX_CONNECTIONS("max-connections", "N", "16384", "Connections open at a time."),
  /** Bound of commands. */
  MAX_LOOP_COMMANDS(
      "max-loop-commands", "N", "4096", "Commands an event loop has in flight over all volumes."),
  /** When a connection without a request is closed. */
  IDLE_TIMEOUT(
      "idle-timeout", "TIME", "75s", "Close a connection that has no request for so long."),
  /** When a stuck transfer is closed. */
  STALL_TIMEOUT(
      "stall-timeout", "TIME", "30s", "Close a connection that stops reading or writing midway."),
  /** How long readiness is false before connections are refused. */
  SHUTDOWN_DELAY(
      "shutdown-delay", "TIME", "0s", "On SIGTERM: not ready, but still accepting, for so long."),
  /** How long requests in flight may take at shutdown. */
  DRAIN_TIMEOUT(
      "drain-timeout", "TIME", "30s", "On SIGTERM: time for requests in flight to finish."),
  /** How long a server warms up before it is ready. */
  WARM_UP(
      "warm-up", "TIME", "10s", "At start: most time for requests to itself before it is ready."),
  /** Bound of the header of a request. */
  MAX_HEADER_BYTES("max-header-bytes", "SIZE", "16KiB", "Longest header of a request."),
  /** What is logged. */
  LOG_LEVEL("log-level", "LEVEL", "info", "What is logged: error, warn, info, debug or trace."),
  /** The YAML file; the one key that YAML does not have. */
  CONFIG("config", "FILE", "", "YAML file with the same keys; flags and variables win over it.");

  private static final List<ConfigKey> ALL = List.of(values());

  private final String key;
  private final String placeholder;
  private final String defaultText;
  private final String description;

  ConfigKey(String key, String placeholder, String defaultText, String description) {
    this.key = key;
    this.placeholder = placeholder;
    this.defaultText = defaultText;
    this.description = description;
  }

  /** Returns the key in YAML. */
  public String key() {
    return key;
  }

  /** Returns the flag. */
  public String flag() {
    return "--" + key;
  }

  /** Returns the environment variable. */
  public String variable() {
    return EnvironmentSource.PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Returns what stands for the value in help. */
  public String placeholder() {
    return placeholder;
  }

  /** Returns the default as a user would write it, or an empty text. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns one line of help. */
  public String description() {
    return description;
  }

  /** Returns every key in the order they are shown. */
  public static List<ConfigKey> all() {
    return ALL;
  }

  static Optional<ConfigKey> find(String key) {
    return Arrays.stream(values()).filter(candidate -> candidate.key.equals(key)).findFirst();
  }
}

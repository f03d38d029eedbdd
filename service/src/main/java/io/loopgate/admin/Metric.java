package io.loopgate.admin;

import java.util.List;
import java.util.Locale;

/**
 * The catalogue of metrics: the collector takes names, help and labels from here, and
 * docs/metrics.md is this list as a table.
 */
enum Metric {
  BUILD_INFO(
      Kind.INFO,
      "build_info",
      "What runs here; always 1.",
      "version",
      "revision",
      "java",
      "vertx",
      "netty"),
  READY(Kind.GAUGE, "ready", "1 while requests are wanted: started and not draining."),
  DRAINING(Kind.GAUGE, "draining", "1 while requests in flight are finished before the end."),
  ENGINE_INFO(
      Kind.INFO,
      "io_engine_info",
      "The engine a volume got and why; always 1, and none for volume other.",
      "volume",
      "engine",
      "reason"),

  REQUESTS(
      Kind.COUNTER,
      "requests_total",
      "Requests answered, by class of status; code_class none: broken off.",
      "op",
      "code_class"),
  REQUEST_BYTES(
      Kind.COUNTER, "request_bytes_total", "Payload bytes on the data port.", "direction"),
  REQUEST_DURATION(
      Kind.HISTOGRAM, "request_duration_seconds", "Time from head to end of a request.", "op"),
  REQUESTS_IN_FLIGHT(Kind.GAUGE, "requests_in_flight", "Requests begun and not ended."),
  HELD_BYTES(Kind.GAUGE, "held_bytes", "Bytes of requests and answers held in buffers."),
  CONNECTIONS_OPEN(Kind.GAUGE, "connections_open", "Connections open on the data port."),
  EXPRESS_REQUESTS(
      Kind.COUNTER,
      "express_requests_total",
      "Small plain reads and writes answered without the HTTP library.",
      "op"),
  STALLED_TRANSFERS(
      Kind.COUNTER, "stalled_transfers_total", "Transfers cut since their client stood still."),
  REJECTED(
      Kind.COUNTER,
      "rejected_total",
      "Error answers, those to commands of queues included, by problem code.",
      "reason"),
  QUEUE_COMMANDS(Kind.COUNTER, "queue_commands_total", "Commands read from queue streams.", "op"),
  QUEUE_COMMANDS_IN_FLIGHT(
      Kind.GAUGE,
      "queue_commands_in_flight",
      "Commands of queue streams begun and not ended; over queue_streams_open the depth they use."),
  QUEUE_STREAMS_OPEN(Kind.GAUGE, "queue_streams_open", "Queue streams open on the data port."),

  IO_OPERATIONS(
      Kind.COUNTER, "io_operations_total", "Commands that ended on a volume.", "volume", "op"),
  IO_BYTES(
      Kind.COUNTER,
      "io_bytes_total",
      "Bytes that commands moved, zeroed or discarded.",
      "volume",
      "op"),
  IO_ERRORS(Kind.COUNTER, "io_errors_total", "Commands that failed.", "volume", "op"),
  IO_FASTPATH(
      Kind.COUNTER,
      "io_fastpath_total",
      "Commands by their outcome on the path that does not wait; only hit took it for all bytes.",
      "volume",
      "op",
      "result"),
  IO_MERGED(
      Kind.COUNTER,
      "io_merged_total",
      "Commands that rode along with an adjacent one instead of going to the kernel alone.",
      "volume"),
  IO_POLLS(
      Kind.COUNTER,
      "io_polls_total",
      "Looks of a polling engine for transfers that have ended.",
      "volume"),
  IO_POLLED(
      Kind.COUNTER,
      "io_polled_total",
      "Transfers that such a look found ended; over io_polls_total it is the gain of a look.",
      "volume"),
  IO_QUEUE_WAIT(
      Kind.HISTOGRAM,
      "io_queue_wait_seconds",
      "Time a command waited before it was begun, over all volumes."),
  IO_SERVICE(
      Kind.HISTOGRAM, "io_service_seconds", "Time a command took once begun, over all volumes."),
  SYNC_DURATION(
      Kind.HISTOGRAM, "sync_duration_seconds", "Time a flush to media took, over all volumes."),
  SYNCS(Kind.COUNTER, "sync_total", "Flushes to media.", "volume"),
  SYNC_WRITES(
      Kind.COUNTER,
      "sync_writes_total",
      "Writes that shared a flush; over sync_total it is the gain of group commit.",
      "volume"),
  SYNC_ERRORS(
      Kind.COUNTER, "sync_errors_total", "Flushes that failed; the first one poisons.", "volume"),

  QUEUE_DEPTH(Kind.GAUGE, "queue_depth", "Commands of a volume that wait to be begun.", "volume"),
  VOLUME_IN_FLIGHT(
      Kind.GAUGE, "volume_in_flight", "Commands of a volume accepted and not ended.", "volume"),
  VOLUME_IN_FLIGHT_LIMIT(
      Kind.GAUGE,
      "volume_in_flight_limit",
      "Most commands a volume accepts at a time; beyond it clients get 503.",
      "volume"),
  VOLUME_SIZE_BYTES(Kind.GAUGE, "volume_size_bytes", "Size of a volume.", "volume"),
  VOLUME_ALLOCATED_BYTES(
      Kind.GAUGE, "volume_allocated_bytes", "Space the backing of a volume occupies.", "volume"),
  VOLUME_STATE(
      Kind.GAUGE,
      "volume_state",
      "1 for the state a volume is in, else 0; for volume other how many are in it.",
      "volume",
      "state"),
  VOLUME_POISONED(
      Kind.GAUGE,
      "volume_poisoned",
      "1 after a failed flush, until reopened; for volume other how many are.",
      "volume"),
  VOLUME_STATUS_AGE(
      Kind.GAUGE,
      "volume_status_age_seconds",
      "Age of the volume gauges; it grows while storage does not answer."),

  EVENT_LOOP_LAG(
      Kind.HISTOGRAM, "event_loop_lag_seconds", "By how much a timer of an event loop was late."),
  LOOP_COMMANDS(
      Kind.GAUGE,
      "event_loop_commands",
      "Commands of an event loop begun and not ended, over all volumes.",
      "loop"),
  LOOP_COMMANDS_LIMIT(
      Kind.GAUGE,
      "event_loop_commands_limit",
      "Most commands of an event loop when one more begins; beyond it clients get 503.",
      "loop"),
  LOOP_COMMANDS_REFUSED(
      Kind.COUNTER,
      "event_loop_commands_refused_total",
      "Commands refused since their event loop had as many as it may.",
      "loop"),
  SCRAPE_DURATION(
      Kind.GAUGE, "scrape_duration_seconds", "Time the scrape before this one took to build.");

  /** What every name begins with. */
  static final String PREFIX = "loopgate_";

  /** Most volumes that are told apart; the others are summed as {@link #OTHER_VOLUMES}. */
  static final int MAX_VOLUMES = 100;

  /** The label of the sum over all volumes that are not told apart. */
  static final String OTHER_VOLUMES = "other";

  private final Kind kind;
  private final String fullName;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> labels;

  Metric(Kind kind, String name, String help, String... labels) {
    this.kind = kind;
    this.fullName = PREFIX + name;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** The type of a metric, as the text format names it. */
  enum Kind {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    INFO;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Kind kind() {
    return kind;
  }

  /** Returns the name as queries use it. */
  String fullName() {
    return fullName;
  }

  /** Returns the name without the suffix that the type adds. */
  String familyName() {
    return switch (kind) {
      case COUNTER -> fullName.substring(0, fullName.length() - "_total".length());
      case INFO -> fullName.substring(0, fullName.length() - "_info".length());
      case GAUGE, HISTOGRAM -> fullName;
    };
  }

  /** Returns the help text; of metrics with a volume label it tells what becomes of many. */
  String help() {
    if (!labels.contains("volume") || help.contains("volume " + OTHER_VOLUMES)) {
      return help;
    }
    return help + " Beyond " + MAX_VOLUMES + " volumes the rest is volume other.";
  }

  List<String> labels() {
    return labels;
  }
}

package io.loopgate.admin;

/** The two text formats in which metrics are told. */
enum Exposition {
  PROMETHEUS("text/plain", "0.0.4"),
  OPEN_METRICS("application/openmetrics-text", "1.0.0");

  private final String type;
  private final String version;

  Exposition(String type, String version) {
    this.type = type;
    this.version = version;
  }

  String contentType() {
    return type + "; version=" + version + "; charset=utf-8";
  }

  /**
   * Returns the format for a client. OpenMetrics must be asked for by name; who takes neither gets
   * the older one, as every exporter does.
   */
  static Exposition negotiate(AcceptHeader accept) {
    double open = accept.named(OPEN_METRICS.type, OPEN_METRICS.version);
    double plain = accept.weight(PROMETHEUS.type, PROMETHEUS.version);
    return open > 0 && open >= plain ? OPEN_METRICS : PROMETHEUS;
  }
}

package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpositionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/openmetrics-text | OPEN_METRICS",
        "application/openmetrics-text; version=1.0.0; charset=utf-8 | OPEN_METRICS",
        "APPLICATION/OpenMetrics-Text; Version=\"1.0.0\" | OPEN_METRICS",
        "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.3,*/*;q=0.1|OPEN_METRICS",
        "application/openmetrics-text;q=0.2,text/plain;q=0.3 | PROMETHEUS",
        "application/openmetrics-text;q=0, */* | PROMETHEUS",
        "application/openmetrics-text;version=0.0.1 | PROMETHEUS",
        "application/openmetrics-text;version=2.0.0 | PROMETHEUS",
        "application/openmetrics-text;q=many | PROMETHEUS",
        "text/plain;version=0.0.4 | PROMETHEUS",
        "*/* | PROMETHEUS",
        "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily | PROMETHEUS",
        ",;,=;q=;,/ | PROMETHEUS"
      })
  void theFormatIsNegotiated(String accept, Exposition expected) {
    assertThat(Exposition.negotiate(AcceptHeader.parse(List.of(accept)))).isEqualTo(expected);
  }

  @Test
  void linesAreOneList() {
    AcceptHeader accept =
        AcceptHeader.parse(List.of("text/plain;q=0.1", "application/openmetrics-text;q=0.9"));
    assertThat(Exposition.negotiate(accept)).isEqualTo(Exposition.OPEN_METRICS);
  }

  @Test
  void nothingAskedIsTheOldFormat() {
    AcceptHeader nothing = AcceptHeader.parse(List.of());
    assertThat(Exposition.negotiate(nothing)).isEqualTo(Exposition.PROMETHEUS);
  }

  @Test
  void anEndlessListIsCut() {
    String endless = "a/b,".repeat(10_000) + "application/openmetrics-text";
    assertThat(Exposition.negotiate(AcceptHeader.parse(List.of(endless))))
        .isEqualTo(Exposition.PROMETHEUS);
  }
}

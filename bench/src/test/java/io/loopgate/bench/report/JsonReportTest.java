package io.loopgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonReportTest {
  private static JsonNode parse(boolean interrupted) throws IOException {
    return new ObjectMapper().readTree(JsonReport.of(ReportFixture.report(interrupted)));
  }

  @Test
  void theHeadTellsHowItCameAbout() throws IOException {
    JsonNode root = parse(true);
    assertThat(names(root))
        .containsExactly(
            "format",
            "commandLine",
            "started",
            "interrupted",
            "machine",
            "timing",
            "comparisons",
            "seeds");
    assertThat(root.path("format").asInt()).isEqualTo(1);
    assertThat(root.path("started").asText()).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(root.path("interrupted").asBoolean()).isTrue();
    assertThat(root.path("machine").path("processor").asText()).isEqualTo(ReportFixture.NASTY);
    assertThat(root.path("timing").path("measuredMillis").asLong()).isEqualTo(2000);
  }

  @Test
  void aMeasuredContenderHasMediansRatiosAndRounds() throws IOException {
    JsonNode row = parse(false).path("comparisons").path(0).path("contenders").path(1);
    assertThat(row.path("name").asText()).isEqualTo("uring");
    assertThat(row.path("state").asText()).isEqualTo("measured");
    assertThat(row.path("median").path("iops").asDouble()).isEqualTo(4500);
    assertThat(row.path("median").path("p99Micros").asDouble()).isEqualTo(20);
    assertThat(row.path("ratiosToBaseline").path("iops").path("median").asDouble()).isEqualTo(3);
    assertThat(row.path("cpuScope").asText()).isEqualTo("process");
    assertThat(row.path("nowait").asText()).isEqualTo("reads: yes; writes: no");
    assertThat(row.path("counters").path("read hit").asLong()).isEqualTo(18_000);
    assertThat(row.path("rounds")).hasSize(3);
    assertThat(row.path("rounds").path(2).path("reads").asLong()).isEqualTo(9000);
    assertThat(names(row.path("median")))
        .containsExactlyElementsOf(Figures.COLUMNS.stream().map(Figures.Column::member).toList());
  }

  @Test
  void whatWasNotMeasuredHasAReasonAndNoNumbers() throws IOException {
    JsonNode rows = parse(false).path("comparisons").path(0).path("contenders");
    assertThat(names(rows.path(3))).containsExactly("name", "state", "reason");
    assertThat(rows.path(3).path("state").asText()).isEqualTo("unavailable");
    assertThat(rows.path(4).path("state").asText()).isEqualTo("failed");
    assertThat(rows.path(2).path("cpuScope").asText()).isEqualTo("machine");
  }

  @Test
  void serversTellHowTheyWereAskedAndLeaveOutWhatWasNotSeen() throws IOException {
    Report report = ReportFixture.report(false);
    Report servers =
        new Report(
            report.commandLine(),
            report.started(),
            report.facts(),
            report.timing(),
            false,
            java.util.List.of(ReportFixture.servers()),
            java.util.List.of());
    JsonNode root = new ObjectMapper().readTree(JsonReport.of(servers));
    JsonNode wire = root.at("/comparisons/0/workload/http");
    assertThat(wire.path("protocol").asText()).isEqualTo("h1");
    assertThat(wire.path("ratePerSecond").asDouble()).isEqualTo(500);
    JsonNode seen = root.at("/comparisons/0/contenders/0");
    assertThat(seen.at("/median/residentMib").asDouble()).isEqualTo(12.5);
    assertThat(seen.path("cpuScope").asText()).isEqualTo("server");
    JsonNode remote = root.at("/comparisons/0/contenders/1");
    assertThat(names(remote.path("median")))
        .contains("iops", "p99Micros")
        .doesNotContain("residentMib", "userMicrosPerCommand");
    assertThat(names(remote.path("rounds").path(0))).doesNotContain("systemMicrosPerCommand");
    assertThat(HtmlReport.of(servers)).contains("requests/s");
  }

  @Test
  void seedsHaveTheMailsRatioBesideOurs() throws IOException {
    JsonNode seed = parse(false).path("seeds").path(0);
    JsonNode first = seed.path("claims").path(0);
    assertThat(first.path("mailed").asText()).isEqualTo("1.37");
    assertThat(first.path("measured").path("median").asDouble()).isEqualTo(3);
    JsonNode second = seed.path("claims").path(1);
    assertThat(second.has("measured")).isFalse();
    assertThat(second.path("reason").asText()).isEqualTo(ReportFixture.NASTY);
    assertThat(seed.path("comparison").path("contenders")).hasSize(5);
  }

  private static List<String> names(JsonNode node) {
    return node.propertyStream().map(java.util.Map.Entry::getKey).toList();
  }
}

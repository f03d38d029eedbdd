package io.loopgate.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MetricTest {
  @Test
  void theDocumentIsTheCatalogue() throws IOException {
    List<String> tables =
        Files.readAllLines(document()).stream().filter(line -> line.startsWith("|")).toList();
    List<String> expected = expectedTable();
    assertThat(tables.subList(0, expected.size())).isEqualTo(expected);
    assertThat(tables.subList(expected.size(), tables.size()))
        .noneMatch(line -> line.startsWith("| `"));
  }

  private static List<String> expectedTable() {
    return Stream.concat(
            Stream.of("| metric | type | labels | help |", "|---|---|---|---|"),
            Arrays.stream(Metric.values()).map(MetricTest::row))
        .toList();
  }

  private static String row(Metric metric) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            metric.fullName(),
            metric.kind().label(),
            String.join(", ", metric.labels()),
            metric.help());
  }

  private static Path document() {
    Path folder = Path.of("").toAbsolutePath();
    Path inModule = folder.resolve("docs/metrics.md");
    return Files.exists(inModule) ? inModule : folder.resolveSibling("docs/metrics.md");
  }

  @ParameterizedTest
  @EnumSource
  void namesFollowTheConventions(Metric metric) {
    String name = metric.fullName();
    assertThat(name).matches("loopgate_[a-z]+(_[a-z]+)*");
    assertThat(name.endsWith("_total")).isEqualTo(metric.kind() == Metric.Kind.COUNTER);
    assertThat(name.endsWith("_info")).isEqualTo(metric.kind() == Metric.Kind.INFO);
    assertThat(name).doesNotContainPattern("_(millis|ms|nanos|us|kb|mb|percent)(_|$)");
    if (metric.kind() == Metric.Kind.HISTOGRAM) {
      assertThat(name).endsWith("_seconds");
      assertThat(metric.labels()).doesNotContain("volume");
    }
    assertThat(metric.help()).endsWith(".").doesNotContain("|");
    assertThat(metric.labels()).allMatch(label -> label.matches("[a-z_]+")).doesNotContain("le");
  }
}

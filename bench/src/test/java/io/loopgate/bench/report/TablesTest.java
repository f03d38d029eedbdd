package io.loopgate.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesTest {
  @Test
  void columnsLineUpAndARemarkGoesOn() {
    TextTable table = new TextTable(List.of("name", "a", "b"));
    table.add(List.of("one", "1", "22222"));
    table.add(List.of("a longer name", "333", "4"));
    table.add(List.of("none", "unavailable: for a reason that is long"));
    assertThat(table.lines())
        .containsExactly(
            "name             a      b",
            "one              1  22222",
            "a longer name  333      4",
            "none           unavailable: for a reason that is long");
  }

  @Test
  void aComparisonShowsRatiosReasonsAndThePathTaken() {
    List<String> lines = Tables.lines(ReportFixture.comparison());
    assertThat(lines.getFirst())
        .isEqualTo("shape: randrw 4KiB, 3 jobs x depth 2, buffered hot, null of 1MiB");
    assertThat(lines)
        .anyMatch(line -> line.matches("uring +4500 .* 3\\.00 \\(3\\.00\\.\\.3\\.00\\).*"));
    assertThat(lines)
        .anyMatch(line -> line.startsWith("aio") && line.contains("unavailable: a <b>"));
    assertThat(lines).anyMatch(line -> line.contains("failed: READ failed with EIO"));
    assertThat(lines).anyMatch(line -> line.startsWith("loopdev:direct") && line.endsWith("*"));
    assertThat(lines)
        .contains(
            "  " + Tables.WHOLE_MACHINE,
            "  uring: counted read hit 18000",
            "  NOWAIT of single, uring, loopdev:direct: reads: yes; writes: no");
  }

  @Test
  void serversHaveColumnsOfTheirOwnAndWhatWasNotSeenIsADash() {
    List<String> lines = Tables.lines(ReportFixture.servers());
    assertThat(lines.get(0))
        .isEqualTo(
            "get4k-16: randread 4KiB, 16 connections x depth 1, buffered hot, over h1,"
                + " 500 begin each second, written file of 1MiB");
    assertThat(lines.get(1)).contains("requests/s", "RSS MiB", "client %", "x rate");
    assertThat(lines.get(2)).matches("nginx +750 .* 667 +1333 +12.5 +80.0 +1.00 .*");
    assertThat(lines.get(3)).matches("remote +1500 .* - +- +- +- +2.00 \\(2.00..2.00\\) +-");
  }

  @Test
  void anExperimentShowsTheMailsRatioBesideOurs() {
    List<String> lines = Tables.lines(ReportFixture.seed());
    assertThat(lines)
        .anyMatch(line -> line.matches("new to old +1\\.37 +3\\.00 \\(2\\.50\\.\\.3\\.50\\) .*"));
    assertThat(lines).anyMatch(line -> line.contains("below 1") && line.contains("- a <b>"));
    assertThat(lines).contains("  here: caveat");
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1234.4,1234", "12.34,12.3", "1.234,1.23", "0.054,0.05", "-3.5,-3.50"})
  void numbersHaveAboutThreeDigits(double value, String text) {
    assertThat(Figures.number(value)).isEqualTo(text);
  }
}

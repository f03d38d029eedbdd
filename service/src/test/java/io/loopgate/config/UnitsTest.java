package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "0B,0",
    "512B,512",
    "64KiB,65536",
    "64 KiB,65536",
    "64kib,65536",
    "16MiB,16777216",
    "1GiB,1073741824",
    "2TiB,2199023255552",
    "1PiB,1125899906842624",
    "1KB,1000",
    "10MB,10000000",
    "1GB,1000000000",
    "1TB,1000000000000",
    "1PB,1000000000000000",
    "9223372036854775807B,9223372036854775807",
    "8191PiB,9222246136947933184"
  })
  void sizesAreExact(String text, long bytes) {
    assertThat(Units.parseBytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"0s,0", "500ms,500", "30s,30000", "2m,120000", "24h,86400000"})
  void durationsAreExact(String text, long millis) {
    assertThat(Units.parseDuration(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "16", "16777216"})
  void aBareNumberIsRefusedWithAnExample(String text) {
    assertThatThrownBy(() -> Units.parseBytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"" + text + "\" needs a unit, for example 64KiB");
    assertThatThrownBy(() -> Units.parseDuration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"" + text + "\" needs a unit, for example 30s");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"8192PiB", "9223372036854775808B", "99999999999999999999999GiB", "9300PB"})
  void whatDoesNotFit63BitsIsTooLarge(String text) {
    assertThatThrownBy(() -> Units.parseBytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"" + text + "\" is too large");
  }

  @Test
  void longDurationsAreTooLarge() {
    assertThatThrownBy(() -> Units.parseDuration("9223372036854775807s"))
        .hasMessage("\"9223372036854775807s\" is too large");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "MiB", "-1MiB", "+1MiB", "1.5GiB", "1e3B", "0x10B", "1MiB ", "٣MiB"})
  void otherTextsAreNoSizes(String text) {
    assertThatThrownBy(() -> Units.parseBytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("for example 64KiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1M", "1Mi", "1G", "1XB", "1s"})
  void unknownUnitsOfSizeNameTheKnownOnes(String text) {
    assertThatThrownBy(() -> Units.parseBytes(text))
        .hasMessageContaining("no known unit: B, KiB, MiB");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1d", "1sec", "1us", "1KiB"})
  void unknownUnitsOfTimeNameTheKnownOnes(String text) {
    assertThatThrownBy(() -> Units.parseDuration(text))
        .hasMessageContaining("no known unit: ms, s, m, h");
  }

  @ParameterizedTest
  @CsvSource({"0,0B", "1,1B", "1000,1000B", "1024,1KiB", "1536,1536B", "1073741824,1GiB"})
  void formatsExactly(long bytes, String text) {
    assertThat(Units.formatBytes(bytes)).isEqualTo(text);
  }

  @Property
  void everySizeComesBack(@ForAll @LongRange(min = 0) long bytes) {
    assertThat(Units.parseBytes(Units.formatBytes(bytes))).isEqualTo(bytes);
  }

  @Property
  void everyDurationComesBack(@ForAll @LongRange(min = 0, max = Long.MAX_VALUE) long millis) {
    Duration duration = Duration.ofMillis(millis);
    assertThat(Units.parseDuration(Units.formatDuration(duration))).isEqualTo(duration);
  }
}

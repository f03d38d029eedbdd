package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentRangeTest {
  @Test
  void readsBothForms() {
    assertThat(ContentRange.parse("bytes 0-511/1024", false))
        .isEqualTo(new ContentRange(0, 511, 1024));
    assertThat(ContentRange.parse("bytes 5-5/*", false))
        .isEqualTo(new ContentRange(5, 5, ContentRange.ANY_TOTAL));
    assertThat(ContentRange.parse("Bytes 5-5/*", false).lengthBytes()).isEqualTo(1);
  }

  @Test
  void lenientTakesAnyTotal() {
    assertThat(ContentRange.parse("bytes 0-512/-1", true).totalBytes())
        .isEqualTo(ContentRange.ANY_TOTAL);
    assertThat(ContentRange.parse("bytes 0-512/7", true).totalBytes())
        .isEqualTo(ContentRange.ANY_TOTAL);
    assertThat(ContentRange.parse("bytes 0-512/*", true).totalBytes())
        .isEqualTo(ContentRange.ANY_TOTAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "bytes",
        "bytes ",
        "bytes=0-1/2",
        "bytes 0-1",
        "bytes 0/2",
        "bytes 1-0/2",
        "bytes */2",
        "bytes -1/2",
        "bytes 0-/2",
        "bytes  0-1/2",
        "bytes 0 -1/2",
        "bytes 0-1 /2",
        "bytes 0-1/ 2",
        "bytes 0-1/",
        "bytes 0-1/2/3",
        "bytes 0-1/x",
        "bytes 0-1,3-4/9",
        "items 0-1/2",
        "bytes 0x0-0x1/2"
      })
  void refusesEverythingElseInBothModes(String value) {
    for (boolean lenient : new boolean[] {false, true}) {
      assertThatExceptionOfType(ProblemException.class)
          .isThrownBy(() -> ContentRange.parse(value, lenient))
          .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.BAD_RANGE));
    }
  }

  @Test
  void minusOneIsNoTotalUnlessLenient() {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> ContentRange.parse("bytes 0-1/-1", false));
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> ContentRange.parse("bytes 0-1/-2", true));
  }

  @Test
  void hugeNumbersDoNotWrap() {
    ContentRange range = ContentRange.parse("bytes 0-99999999999999999999/*", false);
    assertThat(range.lengthBytes()).isEqualTo(Long.MAX_VALUE);
  }
}

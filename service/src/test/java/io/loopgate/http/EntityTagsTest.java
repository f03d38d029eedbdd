package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EntityTagsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"a-1\" | true | true",
        "* | true | true",
        "W/\"a-1\" | false | true",
        "\"a-2\" | false | false",
        "\"x\", \"a-1\" | true | true",
        "\"x,\"  ,\"a-1\" | true | true",
        "\"x, W/\", \"a-1\" | true | true",
        "\"a-1 | false | false",
        "a-1 | false | false",
        "\"a-11\" | false | false",
        "W/\"a-1\", \"a-1\" | true | true"
      })
  void compares(String field, boolean strongly, boolean weakly) {
    assertThat(EntityTags.matchesStrongly(field, "\"a-1\"")).isEqualTo(strongly);
    assertThat(EntityTags.matchesWeakly(field, "\"a-1\"")).isEqualTo(weakly);
  }

  @Test
  void ifRangeTakesOneStrongTagAndNoDate() {
    assertThat(EntityTags.ifRangeHolds(null, "\"a-1\"")).isTrue();
    assertThat(EntityTags.ifRangeHolds(" \"a-1\" ", "\"a-1\"")).isTrue();
    assertThat(EntityTags.ifRangeHolds("W/\"a-1\"", "\"a-1\"")).isFalse();
    assertThat(EntityTags.ifRangeHolds("*", "\"a-1\"")).isFalse();
    assertThat(EntityTags.ifRangeHolds("Sat, 29 Oct 1994 19:43:31 GMT", "\"a-1\"")).isFalse();
  }
}

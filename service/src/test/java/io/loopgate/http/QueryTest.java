package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryTest {
  private static final Set<String> KNOWN = Set.of("offset", "flush");

  @Test
  void readsValues() {
    Query query = Query.strict("offset=12&flush=n", KNOWN);
    assertThat(query.number("offset", 0, ProblemCode.BAD_RANGE)).isEqualTo(12);
    assertThat(query.flag("flush", "y", "n", true)).isFalse();
    assertThat(Query.strict("%6Fffset=%31", KNOWN).number("offset", 0, ProblemCode.BAD_RANGE))
        .isEqualTo(1);
  }

  @Test
  void absentMeansTheDefault() {
    for (String none : new String[] {null, ""}) {
      Query query = Query.strict(none, KNOWN);
      assertThat(query.number("offset", 7, ProblemCode.BAD_RANGE)).isEqualTo(7);
      assertThat(query.flag("flush", "y", "n", true)).isTrue();
      assertThat(query.text("offset")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ofset=1", "Offset=1", "offset=1&offset=1", "offset=1&offset=2", "offset", "offset=",
        "offset=1&", "&", "=1", "offset=1&x=2", "offset=%zz", "flush=n;offset=1&y=1"
      })
  void strictRefusesUnknownRepeatedAndEmpty(String query) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> Query.strict(query, KNOWN))
        .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.BAD_REQUEST));
  }

  @Test
  void relaxedPassesOverUnknownOnes() {
    Query query = Query.relaxed("lenient=1&offset=3&&x", KNOWN);
    assertThat(query.number("offset", 0, ProblemCode.BAD_REQUEST)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-1",
        "1.5",
        "x",
        "0x1",
        "%201",
        "+1",
        "9223372036854775807",
        "99999999999999999999"
      })
  void refusesWhatIsNoNumber(String value) {
    Query query = Query.strict("offset=" + value, KNOWN);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> query.number("offset", 0, ProblemCode.BAD_RANGE))
        .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.BAD_RANGE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"yes", "true", "1", "N", "0"})
  void refusesOtherWordsForASwitch(String value) {
    Query query = Query.strict("flush=" + value, KNOWN);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> query.flag("flush", "y", "n", true));
  }
}

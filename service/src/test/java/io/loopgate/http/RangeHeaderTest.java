package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RangeHeaderTest {
  private static final long SIZE = 1000;

  private static String parse(String value) {
    return switch (RangeHeader.parse(value, SIZE)) {
      case RangeHeader.Parsed.Ignored() -> "ignored";
      case RangeHeader.Parsed.Unsatisfiable() -> "unsatisfiable";
      case RangeHeader.Parsed.TooMany(int count) -> "too many: " + count;
      case RangeHeader.Parsed.Satisfiable(List<ByteRange> ranges) ->
          ranges.stream()
              .map(range -> range.startBytes() + "-" + (range.endBytes() - 1))
              .collect(Collectors.joining(" "));
    };
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-0, 0-0",
    "bytes=0-, 0-999",
    "bytes=999-, 999-999",
    "bytes=10-19, 10-19",
    "bytes=-1, 999-999",
    "bytes=-512, 488-999",
    "bytes=-5000, 0-999",
    "bytes=0-1000, 0-999",
    "bytes=990-1000, 990-999",
    "bytes=990-99999999999999999999, 990-999",
    "bytes=-99999999999999999999, 0-999",
    "Bytes=1-2, 1-2",
    "BYTES=1-2, 1-2"
  })
  void readsOneRange(String value, String expected) {
    assertThat(parse(value)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=1000-",
        "bytes=1000-1001",
        "bytes=99999999999999999999-",
        "bytes=-0",
        "bytes=2-1",
        "bytes=",
        "bytes=-",
        "bytes",
        "bytes=a-b",
        "bytes=0x1-0x2",
        "bytes=1",
        "bytes=1-2-3",
        "bytes=--1",
        "bytes=+1-2",
        "bytes= 1-2",
        "bytes=1 -2",
        "bytes=1- 2",
        "bytes =1-2",
        "bytes=1-2;3-4",
        "bytes=,",
        "bytes=, ,",
        "bytes=0-1,x",
        "bytes=0-1,3-2",
        "bytes=0-1,5 -6",
        "bytes=-0,1000-"
      })
  void refusesBadSyntaxAndWhatIsNotThere(String value) {
    assertThat(parse(value)).isEqualTo("unsatisfiable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"items=0-1", "byte=0-1", "bytesx=0-1", "", "=0-1", "0-1", "lines"})
  void ignoresOtherUnits(String value) {
    assertThat(parse(value)).isEqualTo("ignored");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-1,5-6 | 0-1 5-6",
        "bytes=5-6,0-1 | 0-1 5-6",
        "bytes=0-1,2-3 | 0-3",
        "bytes=0-10,5-20 | 0-20",
        "bytes=0-100,5-6 | 0-100",
        "bytes=0-1,2000-3000 | 0-1",
        "bytes=0-1,-0 | 0-1",
        "bytes=0-0,-1 | 0-0 999-999",
        "bytes=0-1,,5-6 | 0-1 5-6",
        "bytes=,0-1 | 0-1",
        "bytes=0-1, \t5-6 | 0-1 5-6",
        "bytes= 0-1 ,5-6 | 0-1 5-6",
        "bytes=0-,5-6 | 0-999"
      })
  void sortsMergesAndDrops(String value, String expected) {
    assertThat(parse(value)).isEqualTo(expected);
  }

  @Test
  void takes256MembersAndNotOneMore() {
    String member = "1-2";
    String allowed = String.join(",", Collections.nCopies(256, member));
    assertThat(parse("bytes=" + allowed)).isEqualTo("1-2");
    assertThat(parse("bytes=" + allowed + ",1-2")).isEqualTo("too many: 257");
    assertThat(parse("bytes=" + allowed + ",5000-")).isEqualTo("too many: 257");
    assertThat(parse("bytes=" + allowed + ",x")).isEqualTo("too many: 257");
  }

  @Test
  void doesNotCountEmptyMembers() {
    String members = String.join(", ,", Collections.nCopies(256, "1-2"));
    assertThat(parse("bytes=," + members + ",,")).isEqualTo("1-2");
  }

  @Test
  void nothingExistsInAnEmptyWindow() {
    assertThat(RangeHeader.parse("bytes=0-", 0)).isEqualTo(new RangeHeader.Parsed.Unsatisfiable());
    assertThat(RangeHeader.parse("bytes=-1", 0)).isEqualTo(new RangeHeader.Parsed.Unsatisfiable());
  }
}

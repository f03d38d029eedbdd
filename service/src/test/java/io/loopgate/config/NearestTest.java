package io.loopgate.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  @ParameterizedTest
  @CsvSource({
    "listn,listen",
    "lsiten,listen",
    "adminn,admin",
    "eventloops,event-loops",
    "MAX_HELD_BYTES,max-held-bytes",
    "idle-time,idle-timeout"
  })
  void findsWhatWasMeant(String text, String expected) {
    List<String> keys = ConfigKey.all().stream().map(ConfigKey::key).toList();
    assertThat(Nearest.to(text, keys)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"kitten,sitting,3", "ab,ba,1", "abc,abc,0", "'',abc,3", "abc,'',3"})
  void countsEdits(String left, String right, int expected) {
    assertThat(Nearest.distance(left, right)).isEqualTo(expected);
  }

  @Test
  void withoutCandidatesTheTextItself() {
    assertThat(Nearest.to("x", List.of())).isEqualTo("x");
  }

  @Property
  void theDistanceIsSymmetric(
      @ForAll @AlphaChars @StringLength(max = 12) String left,
      @ForAll @AlphaChars @StringLength(max = 12) String right) {
    assertThat(Nearest.distance(left, right)).isEqualTo(Nearest.distance(right, left));
  }
}

package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NumbersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "0x10",
        "1_0",
        "1.0",
        "1e3",
        "\u0661",
        "99999999999999999999x"
      })
  void refusesWhatIsNotDigitsAlone(String text) {
    assertThat(Numbers.parse(text)).isEqualTo(Numbers.NONE);
  }

  @Test
  void keepsTheLargestNumberAndClampsWhatIsAboveIt() {
    assertThat(Numbers.parse("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(Numbers.parse("9223372036854775808")).isEqualTo(Long.MAX_VALUE);
    assertThat(Numbers.parse("18446744073709551616")).isEqualTo(Long.MAX_VALUE);
    assertThat(Numbers.parse("0000000000000000000000000000007")).isEqualTo(7);
  }

  @Test
  void readsAPartOfAText() {
    assertThat(Numbers.parse("a12b", 1, 3)).isEqualTo(12);
    assertThat(Numbers.parse("a12b", 1, 1)).isEqualTo(Numbers.NONE);
  }

  @Property
  void readsEveryRowOfDigits(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 1, max = 30) String digits) {
    BigInteger exact = new BigInteger(digits);
    BigInteger clamped = exact.min(BigInteger.valueOf(Long.MAX_VALUE));
    assertThat(Numbers.parse(digits)).isEqualTo(clamped.longValueExact());
  }
}

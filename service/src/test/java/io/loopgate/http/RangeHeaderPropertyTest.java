package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Compares the parser with one that marks every byte in a bit set. */
final class RangeHeaderPropertyTest {
  @Provide
  Arbitrary<String> members() {
    Arbitrary<Integer> number = Arbitraries.integers().between(0, 70);
    Arbitrary<String> both =
        Combinators.combine(number, Arbitraries.integers().between(0, 20))
            .as((start, more) -> start + "-" + (start + more));
    Arbitrary<String> open = number.map(start -> start + "-");
    Arbitrary<String> suffix = number.map(length -> "-" + length);
    return Arbitraries.oneOf(both, open, suffix);
  }

  @Provide
  Arbitrary<List<String>> lists() {
    return members().list().ofMinSize(1).ofMaxSize(12);
  }

  private static BitSet oracle(List<String> members, int size) {
    BitSet wanted = new BitSet();
    for (String member : members) {
      int dash = member.indexOf('-');
      if (dash == 0) {
        wanted.set(Math.max(0, size - Integer.parseInt(member.substring(1))), size);
      } else {
        int start = Integer.parseInt(member.substring(0, dash));
        String last = member.substring(dash + 1);
        int end = last.isEmpty() ? size : Math.min(size, Integer.parseInt(last) + 1);
        if (start < end) {
          wanted.set(start, end);
        }
      }
    }
    return wanted;
  }

  private static List<ByteRange> runs(BitSet wanted) {
    List<ByteRange> runs = new ArrayList<>();
    for (int start = wanted.nextSetBit(0); start >= 0; ) {
      int end = wanted.nextClearBit(start);
      runs.add(new ByteRange(start, end));
      start = wanted.nextSetBit(end);
    }
    return runs;
  }

  @Property
  void asksForExactlyTheBytesOfItsMembers(
      @ForAll("lists") List<String> members, @ForAll @IntRange(min = 1, max = 60) int size) {
    List<ByteRange> expected = runs(oracle(members, size));
    RangeHeader.Parsed parsed = RangeHeader.parse("bytes=" + String.join(",", members), size);
    if (expected.isEmpty()) {
      assertThat(parsed).isEqualTo(new RangeHeader.Parsed.Unsatisfiable());
    } else {
      assertThat(parsed).isEqualTo(new RangeHeader.Parsed.Satisfiable(expected));
    }
  }

  @Property
  void neverTakesNoiseForTheWholeByAccident(@ForAll("noise") String noise) {
    RangeHeader.Parsed parsed = RangeHeader.parse("bytes=" + noise, 50);
    if (parsed instanceof RangeHeader.Parsed.Satisfiable(List<ByteRange> ranges)) {
      assertThat(ranges)
          .allSatisfy(range -> assertThat(range.startBytes()).isBetween(0L, range.endBytes() - 1))
          .allSatisfy(range -> assertThat(range.endBytes()).isLessThanOrEqualTo(50));
    } else {
      assertThat(parsed).isNotInstanceOf(RangeHeader.Parsed.Ignored.class);
    }
  }

  @Provide
  Arbitrary<String> noise() {
    return Arbitraries.strings().withChars("0123456789-, \tx=").ofMaxLength(20);
  }
}

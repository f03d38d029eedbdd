package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WritePlanLengthTest {
  private static final long SIZE = 10_000;

  private static WritePlan.Length length(
      long wanted, int slack, int multiple, long room, boolean plain) {
    return new WritePlan.Length(-1, wanted, slack, multiple, room, plain);
  }

  private static String code(Optional<Problem> problem) {
    return problem.map(p -> p.code().code()).orElse("ok");
  }

  private static String check(WritePlan.Length length, long actual) {
    return code(length.check(actual, SIZE));
  }

  @Test
  void aRangeFixesTheLength() {
    WritePlan.Length exact = length(512, 0, 1, 9000, false);
    assertThat(check(exact, 512)).isEqualTo("ok");
    assertThat(check(exact, 511)).isEqualTo("length-mismatch");
    assertThat(check(exact, 513)).isEqualTo("length-mismatch");
    assertThat(check(exact, 0)).isEqualTo("length-mismatch");
  }

  @Test
  void lenientTakesOneLess() {
    WritePlan.Length lenient = length(513, 1, 1, 9000, false);
    assertThat(check(lenient, 513)).isEqualTo("ok");
    assertThat(check(lenient, 512)).isEqualTo("ok");
    assertThat(check(lenient, 511)).isEqualTo("length-mismatch");
    assertThat(check(lenient, 514)).isEqualTo("length-mismatch");
  }

  @Test
  void blocksAreWhole() {
    WritePlan.Length blocks = length(-1, 0, 512, 9000, false);
    assertThat(check(blocks, 1024)).isEqualTo("ok");
    assertThat(check(blocks, 1023)).isEqualTo("length-mismatch");
  }

  @Test
  void theEndOfTheVolumeBoundsIt() {
    assertThat(check(length(-1, 0, 1, 100, false), 100)).isEqualTo("ok");
    assertThat(check(length(-1, 0, 1, 100, false), 101)).isEqualTo("range-not-satisfiable");
    assertThat(check(length(-1, 0, 1, 100, true), 101)).isEqualTo("too-large");
    assertThat(length(-1, 0, 1, 100, false).check(101, SIZE).orElseThrow().headers())
        .containsEntry("Content-Range", "bytes */" + SIZE);
  }

  @Test
  void aBodyUnderWayIsRefusedAsSoonAsItIsTooLong() {
    WritePlan.Length range = length(512, 0, 1, 9000, false);
    assertThat(code(range.checkSoFar(1, SIZE))).isEqualTo("ok");
    assertThat(code(range.checkSoFar(512, SIZE))).isEqualTo("ok");
    assertThat(code(range.checkSoFar(513, SIZE))).isEqualTo("length-mismatch");
    WritePlan.Length open = length(-1, 0, 512, 1024, false);
    assertThat(code(open.checkSoFar(1000, SIZE))).isEqualTo("ok");
    assertThat(code(open.checkSoFar(1025, SIZE))).isEqualTo("range-not-satisfiable");
  }

  @Test
  void knowsWhetherTheLengthIsKnown() {
    assertThat(length(1, 0, 1, 1, false).isKnown()).isFalse();
    assertThat(new WritePlan.Length(0, 1, 0, 1, 1, false).isKnown()).isTrue();
  }
}

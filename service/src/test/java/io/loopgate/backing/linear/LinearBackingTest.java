package io.loopgate.backing.linear;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.SegmentMap;
import io.loopgate.backing.WindowBacking;
import io.loopgate.backing.nullblk.NullBacking;
import io.loopgate.backing.ram.RamBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What joining backings needs and what becomes of their errors. */
class LinearBackingTest {
  private static final OpenOptions WRITABLE = new OpenOptions(false, DirectIo.AUTO, 512);

  private final FaultyBacking first = new FaultyBacking(RamBacking.open(4096, WRITABLE));
  private final FaultyBacking second = new FaultyBacking(RamBacking.open(1536, WRITABLE));

  private BackingFixture joined() {
    return new BackingFixture(LinearBacking.join("linear:x", List.of(first, second), 512));
  }

  @Test
  void anErrorIsThatOfTheSegmentItCameFrom() {
    try (BackingFixture linear = joined()) {
      second.failAll(BlockOp.WRITE, Errno.EIO);
      assertThat(linear.write(0, pattern(4096, 1), 0)).isEqualTo(4096);
      assertThat(linear.write(0, pattern(4608, 1), 0)).isEqualTo(-Errno.EIO);
      assertThat(linear.read(0, 4096)).isEqualTo(java.util.Arrays.copyOf(pattern(4608, 1), 4096));
    }
  }

  @Test
  void aFlushGoesToEverySegmentAlsoBehindOneThatFails() {
    try (BackingFixture linear = joined()) {
      first.failFlush(Errno.EIO);
      second.failFlush(Errno.ENOSPC);
      assertThat(linear.flush()).isEqualTo(-Errno.EIO);
      assertThat(second.executed()).isEqualTo(1);
      first.heal();
      assertThat(linear.flush()).isEqualTo(-Errno.ENOSPC);
      second.heal();
      assertThat(linear.flush()).isZero();
    }
  }

  @Test
  void sizesHaveToFitTheAlignmentOfAll() {
    Backing coarse = new WindowBacking(first, 0, 4096).alignedTo(4096);
    assertThatThrownBy(() -> LinearBacking.join("linear:x", List.of(coarse, second), 512))
        .isInstanceOf(BackingException.class)
        .hasMessageStartingWith("segment 2 (faulty ram:1536B) has 1536 bytes, which is not")
        .hasMessageContaining("a multiple of the 4096 that segment 1 (")
        .hasMessageContaining("remove `direct=on`");
    first.close();
    second.close();
  }

  @Test
  void togetherTheyAreNotLargerThanNumbersAre() {
    Backing huge = NullBacking.open(1L << 62, WRITABLE);
    assertThatThrownBy(() -> LinearBacking.join("linear:x", List.of(huge, huge), 512))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("63 bits");
    first.close();
    second.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a|a",
        "a+b|a;b",
        "a\\+b+c|a+b;c",
        "a\\b+\\c|a\\b;\\c",
        "ram:1MiB+/x y+null:1TiB|ram:1MiB;/x y;null:1TiB"
      })
  void namesAreSplitAtPlusSigns(String spec, String names) {
    assertThat(LinearSpec.segments(spec)).containsExactly(names.split(";"));
  }

  @Test
  void emptyAndTooManyNamesAreRefused() {
    for (String bad : new String[] {"", "a+", "+a", "a++b", " + "}) {
      assertThatThrownBy(() -> LinearSpec.segments(bad))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("is empty: name a path");
    }
    assertThatThrownBy(() -> LinearSpec.segments("a+".repeat(32) + "a"))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("up to 32 segments, not 33");
  }

  @Test
  void offsetsLeadToSegments() {
    SegmentMap map = new SegmentMap(new long[] {0, 512, 4096});
    assertThat(map.count()).isEqualTo(3);
    assertThat(new int[] {map.segmentAt(0), map.segmentAt(511), map.segmentAt(512)})
        .containsExactly(0, 0, 1);
    assertThat(new int[] {map.segmentAt(4095), map.segmentAt(4096), map.segmentAt(1L << 62)})
        .containsExactly(1, 2, 2);
    assertThat(map.endBytes(0)).isEqualTo(512);
    assertThat(map.endBytes(2)).isEqualTo(Long.MAX_VALUE);
    for (long[] bad : new long[][] {{}, {1}, {0, 0}, {0, 5, 4}}) {
      assertThatThrownBy(() -> new SegmentMap(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}

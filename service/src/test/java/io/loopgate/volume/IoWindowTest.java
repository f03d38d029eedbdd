package io.loopgate.volume;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Geometry;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class IoWindowTest {
  @Provide
  Arbitrary<Integer> powers() {
    return Arbitraries.of(1, 2, 4, 512, 4096, 65_536);
  }

  @Property(tries = 500)
  void coversTheRangeAndFitsItsAllocation(
      @ForAll @LongRange(min = 0, max = 1L << 50) long offset,
      @ForAll @IntRange(min = 1, max = 1 << 24) int length,
      @ForAll("powers") int alignment,
      @ForAll("powers") int memoryAlignment,
      @ForAll @LongRange(min = 8, max = 1L << 47) long allocation) {
    Geometry geometry = new Geometry(1L << 60, alignment, memoryAlignment, 4096);
    IoWindow window = IoWindow.around(offset, length, geometry);
    long end = window.startBytes() + window.lengthBytes();
    assertThat(window.startBytes() % alignment).isZero();
    assertThat(window.lengthBytes() % alignment).isZero();
    assertThat(window.startBytes()).isLessThanOrEqualTo(offset);
    assertThat(offset - window.startBytes()).isLessThan(alignment);
    assertThat(end - (offset + length)).isBetween(0L, alignment - 1L);
    assertThat(window.offsetBytes()).isEqualTo(offset);
    assertThat(window.rangeBytes()).isEqualTo(length);
    assertThat(window.isAligned()).isEqualTo(offset % alignment == 0 && length % alignment == 0);
    long address = window.alignedAddress(allocation);
    assertThat(address % memoryAlignment).isZero();
    assertThat(address).isGreaterThanOrEqualTo(allocation);
    long scratch = window.isAligned() ? 0 : alignment;
    assertThat(address + window.lengthBytes() + scratch)
        .isLessThanOrEqualTo(allocation + window.allocationBytes());
  }

  @Property(tries = 50)
  void addsNothingOnABufferedVolume(
      @ForAll @LongRange(min = 0, max = 1L << 50) long offset,
      @ForAll @IntRange(min = 1, max = 1 << 24) int length) {
    IoWindow window = IoWindow.around(offset, length, new Geometry(1L << 60, 1, 1, 4096));
    assertThat(window).isEqualTo(new IoWindow(offset, length, 0, length, 1, 1));
    assertThat(window.allocationBytes()).isEqualTo(length);
  }
}

package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Whatever the engine, file mode and block size: a volume is an array of bytes. */
class VolumeModelTest {
  private static final int SIZE_BYTES = 128 * 1024;
  private static final int LOOPS = 2;

  private final List<VolumeFixture> volumes = new ArrayList<>();

  enum Kind {
    READ,
    WRITE,
    ALIGNED_WRITE,
    ZERO,
    UNMAP,
    DISCARD,
    FLUSH
  }

  record Step(Kind kind, int loop, int offsetBytes, int lengthBytes, long seed) {}

  @BeforeProperty
  void open() {
    for (String engine : List.of("single", "workers:1", "workers:4", "inline")) {
      for (boolean direct : new boolean[] {false, true}) {
        for (int blockSize : new int[] {512, 4096}) {
          volumes.add(
              new VolumeFixture(
                  LOOPS, SIZE_BYTES, VolumeFixture.settings(engine, direct, blockSize)));
        }
      }
    }
    for (String engine : List.of("workers:2", "inline")) {
      volumes.add(VolumeFixture.on(engine, SIZE_BYTES, image -> "ram:128KiB"));
      volumes.add(
          VolumeFixture.on(
              engine,
              SIZE_BYTES / 2 - 3 * 512,
              image -> "linear:ram:6KiB+" + image + "+ram:512B+ram:59KiB"));
    }
  }

  @AfterProperty
  void close() {
    volumes.forEach(VolumeFixture::close);
  }

  @Provide
  Arbitrary<List<Step>> programs() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(6, Kind.READ),
            Tuple.of(6, Kind.WRITE),
            Tuple.of(3, Kind.ALIGNED_WRITE),
            Tuple.of(2, Kind.ZERO),
            Tuple.of(1, Kind.UNMAP),
            Tuple.of(2, Kind.DISCARD),
            Tuple.of(1, Kind.FLUSH));
    return Combinators.combine(
            kinds,
            Arbitraries.integers().between(0, LOOPS - 1),
            Arbitraries.integers().between(0, SIZE_BYTES - 1),
            Arbitraries.integers().between(1, SIZE_BYTES / 4),
            Arbitraries.longs())
        .as(VolumeModelTest::step)
        .list()
        .ofMinSize(1)
        .ofMaxSize(10);
  }

  private static Step step(Kind kind, int loop, int offset, int length, long seed) {
    if (kind == Kind.ALIGNED_WRITE) {
      int aligned = offset / 4096 * 4096;
      int size = Math.min(SIZE_BYTES - aligned, (length + 4095) / 4096 * 4096);
      return new Step(kind, loop, aligned, size, seed);
    }
    return new Step(kind, loop, offset, Math.min(length, SIZE_BYTES - offset), seed);
  }

  @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
  void volumesAreLikeArrays(@ForAll("programs") List<Step> program) {
    for (VolumeFixture volume : volumes) {
      byte[] model = new byte[SIZE_BYTES];
      assertThat(VolumeFixture.get(volume.discard(0, 0, SIZE_BYTES))).isEqualTo(SIZE_BYTES);
      for (Step step : program) {
        run(volume, step, model);
      }
      assertThat(Arrays.equals(volume.read(0, 0, SIZE_BYTES), model))
          .as("%s", volume.volume().settings())
          .isTrue();
    }
  }

  private static void run(VolumeFixture on, Step step, byte[] model) {
    int loop = step.loop();
    int from = step.offsetBytes();
    int length = step.lengthBytes();
    long result = length;
    switch (step.kind()) {
      case READ ->
          assertThat(
                  Arrays.equals(on.read(loop, from, length), 0, length, model, from, from + length))
              .as("%s", step)
              .isTrue();
      case WRITE, ALIGNED_WRITE -> {
        byte[] bytes = pattern(length, step.seed());
        result = VolumeFixture.get(on.write(loop, from, bytes));
        System.arraycopy(bytes, 0, model, from, length);
      }
      case ZERO, UNMAP -> {
        result = VolumeFixture.get(on.zero(loop, from, length, step.kind() == Kind.UNMAP));
        Arrays.fill(model, from, from + length, (byte) 0);
      }
      case DISCARD -> {
        result = VolumeFixture.get(on.discard(loop, from, length));
        Arrays.fill(model, from, from + length, (byte) 0);
      }
      case FLUSH -> result = VolumeFixture.get(on.flush(loop)) + length;
    }
    assertThat(result).as("%s", step).isEqualTo(length);
  }
}

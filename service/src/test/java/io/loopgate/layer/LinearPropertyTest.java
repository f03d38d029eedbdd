package io.loopgate.layer;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.layer.SplitFixture.End;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Any sequence of commands leaves joined segments as it leaves an array, run one way or both. */
class LinearPropertyTest {
  private static final int BLOCK_BYTES = 512;

  /**
   * A command by shares of the size, so that it fits whatever the segments are.
   *
   * @param atOnce whether it is split, or run step by step on the joined backing
   */
  record Command(BlockOp op, double offset, double length, int flags, long seed, boolean atOnce) {}

  @Provide
  Arbitrary<List<Integer>> segments() {
    return Arbitraries.integers().between(1, 40).list().ofMinSize(1).ofMaxSize(6);
  }

  @Provide
  Arbitrary<List<Command>> programs() {
    return Combinators.combine(
            Arbitraries.of(BlockOp.class),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.doubles().between(0, 1),
            Arbitraries.of(0, BlockRequest.MAY_UNMAP, BlockRequest.FUA),
            Arbitraries.longs(),
            Arbitraries.of(true, false))
        .as(Command::new)
        .list()
        .ofMaxSize(20);
  }

  @Property(tries = 100)
  void joinedSegmentsAreLikeAnArray(
      @ForAll("segments") List<Integer> segments, @ForAll("programs") List<Command> program) {
    check("inline", segments, program);
  }

  @Property(tries = 50)
  void soTheyAreWithThreads(
      @ForAll("segments") List<Integer> segments, @ForAll("programs") List<Command> program) {
    check("workers:2", segments, program);
  }

  private static void check(String engine, List<Integer> segments, List<Command> program) {
    int[] sizes = segments.stream().mapToInt(blocks -> blocks * BLOCK_BYTES).toArray();
    byte[] model = new byte[Arrays.stream(sizes).sum()];
    try (SplitFixture on = new SplitFixture(engine, sizes)) {
      BackingFixture steps = new BackingFixture(on.linear());
      for (Command command : program) {
        int from = (int) (command.offset() * (model.length - 1));
        int length = Math.max(1, (int) (command.length() * (model.length - from)));
        run(on, steps, command, from, length, model);
      }
      assertThat(Arrays.equals(on.read(0, model.length), model)).isTrue();
      assertThat(Arrays.equals(steps.read(0, model.length), model)).isTrue();
      assertThat(on.split().drain(Duration.ofSeconds(30))).isTrue();
    }
  }

  private static void run(
      SplitFixture on, BackingFixture steps, Command command, int from, int length, byte[] model) {
    switch (command.op()) {
      case READ -> {
        byte[] read = command.atOnce() ? on.read(from, length) : steps.read(from, length);
        assertThat(Arrays.equals(read, 0, length, model, from, from + length)).isTrue();
      }
      case WRITE -> {
        byte[] bytes = pattern(length, command.seed());
        long written =
            command.atOnce()
                ? on.write(from, bytes).result()
                : steps.write(from, bytes, command.flags());
        assertThat(written).isEqualTo(length);
        System.arraycopy(bytes, 0, model, from, length);
      }
      case FLUSH ->
          assertThat(command.atOnce() ? on.run(BlockOp.FLUSH, 0, 0, 0).result() : steps.flush())
              .isZero();
      case DISCARD, ZERO -> {
        if (command.atOnce()) {
          assertThat(on.run(command.op(), from, length, command.flags()))
              .isEqualTo(new End(length, length));
        } else if (command.op() == BlockOp.ZERO) {
          assertThat(steps.zero(from, length, command.flags())).isEqualTo(length);
        } else {
          assertThat(steps.discard(from, length)).isEqualTo(length);
        }
        Arrays.fill(model, from, from + length, (byte) 0);
      }
    }
  }
}

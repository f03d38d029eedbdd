package io.loopgate.engine.pinned;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.sys.SystemCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

/** Whatever is done to a pinned file leaves it as it leaves an array, and whole. */
class PinnedBackingTest {
  private static final int SIZE_BYTES = 256 * 1024;
  private static final int UNIT_BYTES = 4096;

  private final Path image = BackingFixture.directory().resolve("image.raw");

  /** A command with its range in bytes. */
  record Command(BlockOp op, int offsetBytes, int lengthBytes, int flags, long seed) {
    /** Returns what engines may ask for: transfers move whole blocks. */
    Command aligned() {
      if (op != BlockOp.READ && op != BlockOp.WRITE) {
        return this;
      }
      int offset = offsetBytes - offsetBytes % UNIT_BYTES;
      int length = (lengthBytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
      return new Command(op, offset, Math.min(length, SIZE_BYTES - offset), flags, seed);
    }
  }

  @Provide
  Arbitrary<List<Command>> programs() {
    Arbitrary<BlockOp> ops =
        Arbitraries.of(
            BlockOp.READ,
            BlockOp.WRITE,
            BlockOp.FLUSH,
            BlockOp.DISCARD,
            BlockOp.DISCARD,
            BlockOp.ZERO,
            BlockOp.ZERO);
    return Combinators.combine(
            ops,
            Arbitraries.integers().between(0, SIZE_BYTES - 1),
            Arbitraries.integers().between(1, SIZE_BYTES),
            Arbitraries.of(0, BlockRequest.MAY_UNMAP, BlockRequest.FUA),
            Arbitraries.longs())
        .as(
            (op, offset, length, flags, seed) ->
                new Command(op, offset, Math.min(length, SIZE_BYTES - offset), flags, seed)
                    .aligned())
        .list()
        .ofMaxSize(12);
  }

  @AfterProperty
  void delete() throws IOException {
    Files.deleteIfExists(image);
  }

  private DescriptorBacking open() {
    return FileBackings.open(image, new OpenOptions(false, true, UNIT_BYTES));
  }

  @Property(tries = 100)
  void aPinnedFileIsLikeAnArrayAndStaysWhole(@ForAll("programs") List<Command> program)
      throws IOException {
    byte[] model = pattern(SIZE_BYTES, program.size());
    Files.write(image, model);
    try (DescriptorBacking file = open()) {
      BackingFixture on = new BackingFixture(new PinnedBacking(file));
      for (Command command : program) {
        run(on, command, model);
      }
      assertThat(Arrays.equals(on.read(0, SIZE_BYTES), model)).isTrue();
      FileProof.Findings found = FileProof.examine(SystemCalls.instance(), file.fd(), SIZE_BYTES);
      assertThat(found.result()).isZero();
      assertThat(found.first()).isEmpty();
    }
  }

  private static void run(BackingFixture on, Command command, byte[] model) {
    int offset = command.offsetBytes();
    int length = command.lengthBytes();
    switch (command.op()) {
      case READ ->
          assertThat(
                  Arrays.equals(
                      on.read(offset, length), Arrays.copyOfRange(model, offset, offset + length)))
              .isTrue();
      case WRITE -> {
        byte[] bytes = pattern(length, command.seed());
        System.arraycopy(bytes, 0, model, offset, length);
        assertThat(on.write(offset, bytes, command.flags())).isEqualTo(length);
      }
      case FLUSH -> assertThat(on.flush()).isZero();
      case DISCARD -> {
        Arrays.fill(model, offset, offset + length, (byte) 0);
        assertThat(on.discard(offset, length)).isEqualTo(length);
      }
      case ZERO -> {
        Arrays.fill(model, offset, offset + length, (byte) 0);
        assertThat(on.zero(offset, length, command.flags())).isEqualTo(length);
      }
    }
  }

  @Example
  void itKeepsItsSizeAndItsFile() throws IOException {
    Files.write(image, pattern(SIZE_BYTES, 1));
    try (DescriptorBacking file = open()) {
      PinnedBacking pinned = new PinnedBacking(file);
      assertThatThrownBy(() -> pinned.resize(2 * SIZE_BYTES)).isInstanceOf(BackingException.class);
      assertThat(pinned.fd()).isEqualTo(file.fd());
      assertThat(pinned.description()).isEqualTo(file.description());
      pinned.close();
      assertThat(new BackingFixture(file).read(0, UNIT_BYTES))
          .as("open still")
          .isEqualTo(Arrays.copyOf(pattern(SIZE_BYTES, 1), UNIT_BYTES));
    }
  }
}

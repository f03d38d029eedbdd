package io.loopgate.backing.file;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;

/** Any sequence of commands leaves a file as it leaves an array. */
class FileBackingPropertyTest {
  private static final int SIZE_BYTES = 256 * 1024;
  private static final int UNIT_BYTES = 4096;

  private final Path image = BackingFixture.directory().resolve("image.raw");

  /** A command with its range in bytes. */
  record Command(BlockOp op, int offsetBytes, int lengthBytes, int flags, long seed) {
    /** Returns the range in whole units, as transfers of direct files need it. */
    Command aligned() {
      int offset = offsetBytes - offsetBytes % UNIT_BYTES;
      int length = (lengthBytes + UNIT_BYTES - 1) / UNIT_BYTES * UNIT_BYTES;
      return new Command(op, offset, Math.min(length, SIZE_BYTES - offset), flags, seed);
    }
  }

  @Provide
  Arbitrary<List<Command>> programs() {
    Arbitrary<Integer> offsets = Arbitraries.integers().between(0, SIZE_BYTES - 1);
    Arbitrary<Integer> lengths = Arbitraries.integers().between(1, SIZE_BYTES);
    return Combinators.combine(
            Arbitraries.of(BlockOp.class),
            offsets,
            lengths,
            Arbitraries.of(0, 0, 0, BlockRequest.MAY_UNMAP, BlockRequest.FUA),
            Arbitraries.longs())
        .as(
            (op, offset, length, flags, seed) ->
                new Command(op, offset, Math.min(length, SIZE_BYTES - offset), flags, seed))
        .list()
        .ofMaxSize(12);
  }

  @AfterProperty
  void delete() throws IOException {
    Files.deleteIfExists(image);
  }

  @Property(tries = 200)
  void bufferedFilesAreLikeArrays(@ForAll("programs") List<Command> program) throws IOException {
    check(program, false);
  }

  @Property(tries = 200)
  void directFilesAreLikeArrays(@ForAll("programs") List<Command> program) throws IOException {
    check(program, true);
  }

  private void check(List<Command> program, boolean direct) throws IOException {
    Files.deleteIfExists(image);
    FileBackings.create(image, SIZE_BYTES);
    OpenOptions options = new OpenOptions(false, direct, UNIT_BYTES);
    byte[] model = new byte[SIZE_BYTES];
    try (BackingFixture on = new BackingFixture(FileBackings.open(image, options))) {
      for (Command command : program) {
        boolean transfer = command.op() == BlockOp.READ || command.op() == BlockOp.WRITE;
        run(on, direct && transfer ? command.aligned() : command, model);
      }
      assertThat(Arrays.equals(on.read(0, SIZE_BYTES), model)).isTrue();
      assertThat(image).hasSize(SIZE_BYTES);
    }
  }

  private static void run(BackingFixture on, Command command, byte[] model) {
    int from = command.offsetBytes();
    int length = command.lengthBytes();
    switch (command.op()) {
      case READ ->
          assertThat(Arrays.equals(on.read(from, length), 0, length, model, from, from + length))
              .isTrue();
      case WRITE -> {
        byte[] bytes = pattern(length, command.seed());
        assertThat(on.write(from, bytes, command.flags())).isEqualTo(length);
        System.arraycopy(bytes, 0, model, from, length);
      }
      case FLUSH -> assertThat(on.flush()).isZero();
      case DISCARD -> {
        assertThat(on.discard(from, length)).isEqualTo(length);
        Arrays.fill(model, from, from + length, (byte) 0);
      }
      case ZERO -> {
        assertThat(on.zero(from, length, command.flags())).isEqualTo(length);
        Arrays.fill(model, from, from + length, (byte) 0);
      }
    }
  }
}

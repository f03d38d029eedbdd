package io.loopgate.backing.linear;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.Extent;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.StoredBackingContract;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files one behind the other are a store like one file. */
abstract class LinearOverFilesContract extends StoredBackingContract {
  private static final int FIRST_BYTES = 5 * BLOCK_BYTES;
  private static final int SECOND_BYTES = (1 << 20) - 3 * BLOCK_BYTES;
  private static final int THIRD_START = FIRST_BYTES + SECOND_BYTES;

  private final Path directory = BackingFixture.directory();
  private final Path first = directory.resolve("a.raw");
  private final Path second = directory.resolve("b+b.raw");
  private final Path third = directory.resolve("c.raw");
  private final boolean direct;

  LinearOverFilesContract(boolean direct) {
    this.direct = direct;
  }

  private String spec() {
    return "linear:" + first + "+" + second.toString().replace("+", "\\+") + "+" + third;
  }

  @Override
  protected Backing openFresh() {
    FileBackings.create(first, FIRST_BYTES);
    FileBackings.create(second, SECOND_BYTES);
    FileBackings.create(third, SIZE_BYTES - THIRD_START);
    return openAgain(false);
  }

  @Override
  protected Backing openAgain(boolean readOnly) {
    return Backings.open(spec(), new OpenOptions(readOnly, direct, BLOCK_BYTES));
  }

  @Override
  protected void removeStore() throws IOException {
    for (Path file : List.of(first, second, third)) {
      Files.delete(file);
    }
    Files.delete(directory);
  }

  @Test
  void theBytesLieInTheFilesInOrder() throws IOException {
    byte[] bytes = pattern(SIZE_BYTES, 1);
    assertThat(on().write(0, bytes, 0)).isEqualTo(SIZE_BYTES);
    assertThat(on().flush()).isZero();
    java.io.ByteArrayOutputStream joined = new java.io.ByteArrayOutputStream();
    for (Path file : List.of(first, second, third)) {
      joined.write(Files.readAllBytes(file));
    }
    assertThat(joined.toByteArray()).isEqualTo(bytes);
    assertThat(on().backing().description()).isEqualTo(spec());
  }

  @Test
  void aStepEndsWithItsSegment() {
    BackingFixture linear = on();
    try (var memory = io.loopgate.sys.AlignedMemory.allocate(BLOCK_BYTES, SIZE_BYTES)) {
      var read =
          BackingFixture.request(
              io.loopgate.block.BlockOp.READ, BLOCK_BYTES, 2L << 20, memory.address(), 0);
      assertThat(linear.backing().execute(read)).isEqualTo(4L * BLOCK_BYTES);
      read.advance(4L * BLOCK_BYTES);
      assertThat(linear.backing().execute(read)).isEqualTo(SECOND_BYTES);
    }
  }

  @Test
  void aFileThatIsThereTwiceIsRefused() {
    on().close();
    assertThatThrownBy(
            () ->
                Backings.open(
                    "linear:" + first + "+" + third + "+" + first,
                    new OpenOptions(false, direct, BLOCK_BYTES)))
        .isInstanceOf(BackingException.class)
        .hasMessageStartingWith("segment 3: ")
        .hasMessageContaining("is in use by");
    // What was opened before the refusal is closed again.
    openAgain(false).close();
  }

  @Test
  void onlyTheLastSegmentChangesItsSize() {
    Backing linear = on().backing();
    linear.resize(2L * SIZE_BYTES);
    assertThat(third).hasSize(2L * SIZE_BYTES - THIRD_START);
    assertThat(linear.geometry().sizeBytes()).isEqualTo(2L * SIZE_BYTES);
    assertThat(on().write(2L * SIZE_BYTES - BLOCK_BYTES, pattern(BLOCK_BYTES, 2), 0))
        .isEqualTo(BLOCK_BYTES);
    linear.resize(THIRD_START + BLOCK_BYTES);
    assertThat(third).hasSize(BLOCK_BYTES);
    for (long bad : new long[] {THIRD_START, FIRST_BYTES, 0, 2L * SIZE_BYTES + 512}) {
      assertThatThrownBy(() -> linear.resize(bad))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("only its last segment, " + third + ", can change")
          .hasMessageContaining("ask for more than " + THIRD_START);
    }
    assertThat(linear.geometry().sizeBytes()).isEqualTo(THIRD_START + BLOCK_BYTES);
  }

  @Test
  void extentsAndSpaceAreThoseOfTheSegments() {
    Backing linear = on().backing();
    on().write(THIRD_START - BLOCK_BYTES, pattern(2 * BLOCK_BYTES, 3), 0);
    on().flush();
    assertThat(linear.extentAt(BLOCK_BYTES))
        .isEqualTo(new Extent(BLOCK_BYTES, FIRST_BYTES - BLOCK_BYTES, true));
    assertThat(linear.extentAt(FIRST_BYTES))
        .isEqualTo(new Extent(FIRST_BYTES, SECOND_BYTES - BLOCK_BYTES, true));
    assertThat(linear.extentAt(THIRD_START - BLOCK_BYTES))
        .isEqualTo(new Extent(THIRD_START - BLOCK_BYTES, BLOCK_BYTES, false));
    assertThat(linear.extentAt(THIRD_START)).isEqualTo(new Extent(THIRD_START, BLOCK_BYTES, false));
    assertThat(linear.allocatedBytes()).isBetween(2L * BLOCK_BYTES, 64L * BLOCK_BYTES);
  }

  @Test
  void identityChangesWithEverySegment() {
    on().close();
    String before = identity();
    for (Path file : List.of(first, second, third)) {
      try (BackingFixture one =
          new BackingFixture(FileBackings.open(file, new OpenOptions(false, false, 512)))) {
        one.write(0, pattern(1, 4), 0);
      }
      String after = identity();
      assertThat(after).isNotEqualTo(before);
      before = after;
    }
  }

  private String identity() {
    try (Backing reader = openAgain(true)) {
      return reader.identity();
    }
  }
}

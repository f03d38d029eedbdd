package io.loopgate.backing.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A name leads to the right kind of backing. */
class BackingsTest {
  private static final OpenOptions WRITABLE = new OpenOptions(false, false, 512);

  @Test
  void aPathIsAFile() throws IOException {
    Path image = BackingFixture.directory().resolve("a:b.raw");
    FileBackings.create(image, 4096);
    try (Backing backing = Backings.open(image.toString(), WRITABLE)) {
      assertThat(backing.geometry().sizeBytes()).isEqualTo(4096);
      assertThat(backing.description()).isEqualTo(image.toString());
    }
    Files.delete(image);
  }

  @Test
  void unknownFormsAreNamedWithTheKnownOnes() {
    for (String spec : new String[] {"rbd:pool/x", "zram:1GiB", "nfs+tcp:x"}) {
      assertThatThrownBy(() -> Backings.open(spec, WRITABLE))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining(
              "there is no backing of the kind `" + spec.substring(0, spec.indexOf(':')) + ":`")
          .hasMessageContaining(
              "the path of an image file or of a block device, `ram:SIZE`, `null:SIZE`, or"
                  + " `linear:A+B`");
    }
    assertThatThrownBy(() -> Backings.open(" ", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("a volume needs a backing");
    assertThatThrownBy(() -> Backings.open("a\u0000b", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("`a?b` is not a path");
  }

  @Test
  void namesWithoutAPathHaveASize() {
    try (Backing ram = Backings.open("ram:64KiB", WRITABLE);
        Backing nothing = Backings.open("null:1TiB", WRITABLE);
        Backing linear = Backings.open("linear:ram:1MiB+null:1TiB", WRITABLE)) {
      assertThat(ram.geometry().sizeBytes()).isEqualTo(1 << 16);
      assertThat(nothing.geometry().sizeBytes()).isEqualTo(1L << 40);
      assertThat(linear.geometry().sizeBytes()).isEqualTo((1L << 40) + (1 << 20));
      assertThat(linear.description()).isEqualTo("linear:ram:1MiB+null:1TiB");
    }
    for (String spec : new String[] {"ram:", "ram:64", "null:x", "ram:1.5GiB", "null:-1MiB"}) {
      assertThatThrownBy(() -> Backings.open(spec, WRITABLE))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("the size in `" + spec + "` makes no sense")
          .hasMessageContaining("64KiB");
    }
    assertThatThrownBy(() -> Backings.open("null:0B", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("more than 0");
  }

  @Test
  void segmentsAreNamedInRefusals() {
    assertThatThrownBy(() -> Backings.open("linear:ram:1MiB+linear:ram:1MiB", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("`linear:` cannot hold another `linear:`");
    assertThatThrownBy(() -> Backings.open("linear:ram:1MiB+/nowhere/at/all", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageStartingWith("segment 2: ")
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> Backings.open("linear:ram:1000B+ram:1MiB", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("segment 1: ram:1000B cannot have 1000B");
  }

  @Test
  void whatIsAPathIsKnownByItsName() {
    for (String path : new String[] {"/a", "a:b", "./ram:1GiB", "rams:x", "ram", "rbd:x"}) {
      assertThat(Backings.isPath(path)).as(path).isTrue();
    }
    for (String other : new String[] {"ram:1GiB", "null:", "linear:a+b"}) {
      assertThat(Backings.isPath(other)).as(other).isFalse();
    }
  }

  @Test
  void otherKindsOfFilesAreRefused() {
    assertThatThrownBy(() -> Backings.open("/dev/null", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("/dev/null is neither a regular file nor a block device");
    assertThatThrownBy(() -> Backings.open("/nowhere/at/all", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("does not exist");
  }
}

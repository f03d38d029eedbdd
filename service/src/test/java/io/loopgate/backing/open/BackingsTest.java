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
    for (String spec : new String[] {"ram:1GiB", "null:1TiB", "linear:a+b", "rbd:pool/x"}) {
      assertThatThrownBy(() -> Backings.open(spec, WRITABLE))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining(
              "there is no backing of the kind `" + spec.substring(0, spec.indexOf(':')) + ":`")
          .hasMessageContaining("the path of an image file or of a block device");
    }
    assertThatThrownBy(() -> Backings.open(" ", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("a volume needs a backing");
    assertThatThrownBy(() -> Backings.open("a\u0000b", WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("`a?b` is not a path");
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

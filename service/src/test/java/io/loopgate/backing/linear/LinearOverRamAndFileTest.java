package io.loopgate.backing.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingContract;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.backing.open.Backings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A RAM disk and a file as one. */
class LinearOverRamAndFileTest extends BackingContract {
  private final Path file = BackingFixture.directory().resolve("rest.raw");

  @Override
  protected Backing openFresh() {
    FileBackings.create(file, SIZE_BYTES - 3L * BLOCK_BYTES);
    return Backings.open(
        "linear:ram:12KiB+" + file, new OpenOptions(false, DirectIo.AUTO, BLOCK_BYTES));
  }

  @Override
  protected void removeStore() throws IOException {
    Files.delete(file);
  }

  @Test
  void theWeakestSegmentSpeaksForAll() {
    var found = on().backing().capabilities();
    assertThat(found.neverBlocks()).isFalse();
    assertThat(found.stable().available()).isFalse();
    assertThat(found.stable().reason()).startsWith("segment 1 (ram:12KiB): ");
    assertThat(found.direct().available()).isFalse();
    var file = ((io.loopgate.backing.SegmentedBacking) on().backing()).segments().get(1);
    if (!file.capabilities().nowaitWrite().available()) {
      assertThat(found.nowaitWrite().available()).isFalse();
      assertThat(found.nowaitWrite().reason())
          .startsWith("segment 2 (" + file.description() + "): ");
    }
  }
}

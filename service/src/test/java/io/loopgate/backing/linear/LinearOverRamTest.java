package io.loopgate.backing.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingContract;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.open.Backings;
import org.junit.jupiter.api.Test;

/** RAM disks one behind the other. */
class LinearOverRamTest extends BackingContract {
  @Override
  protected Backing openFresh() {
    return Backings.open(
        "linear:ram:12KiB+ram:1MiB+ram:512KiB+ram:2548KiB",
        new OpenOptions(false, DirectIo.AUTO, BLOCK_BYTES));
  }

  @Override
  protected void removeStore() {
    // Closing was enough.
  }

  @Override
  protected boolean neverBlocks() {
    return true;
  }

  @Test
  void whatHoldsForEachHoldsForAll() {
    var found = on().backing().capabilities();
    assertThat(found.nowaitRead().available()).isTrue();
    assertThat(found.nowaitRead().reason()).isEqualTo("memory is never waited for");
    assertThat(found.nowaitWrite().available()).isTrue();
    assertThat(found.stable().available()).isFalse();
    assertThat(found.stable().reason())
        .isEqualTo("segment 1 (ram:12KiB): it is kept in memory, and lost when the process ends");
  }
}

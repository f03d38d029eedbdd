package io.loopgate.backing;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.block.Errno;
import org.junit.jupiter.api.Test;

/** What every backing promises besides whose store outlives its opening. */
public abstract class StoredBackingContract extends BackingContract {
  /** Opens the store of the last {@link #openFresh} once more. */
  protected abstract Backing openAgain(boolean readOnly);

  @Test
  void whatIsFlushedIsStable() {
    assertThat(on().backing().capabilities().stable().available()).isTrue();
    assertThat(on().write(0, pattern(BLOCK_BYTES, 1), 0)).isEqualTo(BLOCK_BYTES);
    assertThat(on().flush()).isZero();
    on().close();
    try (BackingFixture again = new BackingFixture(openAgain(false))) {
      assertThat(again.read(0, BLOCK_BYTES)).isEqualTo(pattern(BLOCK_BYTES, 1));
    }
  }

  @Test
  void aSecondWriterIsRefusedAndReadersShare() {
    assertThatThrownBy(() -> openAgain(false).close())
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("in use by");
    assertThatThrownBy(() -> openAgain(true).close())
        .isInstanceOf(BackingException.class)
        .hasMessageContaining(
            "is in use by another process (locked): stop it, or open both with readonly");
    on().close();
    try (Backing one = openAgain(true);
        Backing two = openAgain(true)) {
      assertThat(two.identity()).isEqualTo(one.identity());
      assertThatThrownBy(() -> openAgain(false).close())
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("in use by");
    }
    openAgain(false).close();
  }

  @Test
  void aReaderTakesNoChanges() {
    on().write(0, pattern(BLOCK_BYTES, 8), 0);
    on().close();
    try (BackingFixture reader = new BackingFixture(openAgain(true))) {
      assertThat(reader.backing().readOnly()).isTrue();
      assertThat(reader.read(0, BLOCK_BYTES)).isEqualTo(pattern(BLOCK_BYTES, 8));
      assertThat(reader.write(0, new byte[BLOCK_BYTES], 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.discard(0, BLOCK_BYTES)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.zero(0, BLOCK_BYTES, 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.tryWrite(0, new byte[BLOCK_BYTES], 0)).isEqualTo(-Errno.EOPNOTSUPP);
      assertThat(reader.flush()).isZero();
      assertThat(reader.backing().capabilities().nowaitWrite().available()).isFalse();
      assertThatThrownBy(() -> reader.backing().resize(2L * SIZE_BYTES))
          .isInstanceOf(BackingException.class);
    }
  }

  @Test
  void identityStandsStillAndFitsIntoAnEntityTag() {
    on().close();
    try (Backing first = openAgain(true)) {
      String identity = first.identity();
      assertThat(identity).matches("[A-Za-z0-9._~]+");
      assertThat(first.identity()).isEqualTo(identity);
      try (Backing second = openAgain(true)) {
        assertThat(second.identity()).isEqualTo(identity);
      }
    }
  }
}

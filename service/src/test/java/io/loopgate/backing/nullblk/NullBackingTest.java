package io.loopgate.backing.nullblk;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.Extent;
import io.loopgate.backing.OpenOptions;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** A null disk takes everything and keeps nothing. */
class NullBackingTest {
  private static final long SIZE_BYTES = 1L << 40;
  private static final int STEP_BYTES = 1 << 20;

  private final BackingFixture on =
      new BackingFixture(NullBacking.open(SIZE_BYTES, new OpenOptions(false, DirectIo.AUTO, 4096)));

  @Test
  void writesVanish() {
    byte[] bytes = pattern(3 * STEP_BYTES, 1);
    assertThat(on.write(SIZE_BYTES - bytes.length, bytes, BlockRequest.FUA))
        .isEqualTo(bytes.length);
    assertThat(on.tryWrite(0, bytes, 0)).isEqualTo(bytes.length);
    assertThat(on.discard(0, SIZE_BYTES)).isEqualTo(SIZE_BYTES);
    assertThat(on.zero(0, SIZE_BYTES, 0)).isEqualTo(SIZE_BYTES);
    assertThat(on.flush()).isZero();
    assertThat(on.read(SIZE_BYTES - bytes.length, bytes.length)).containsOnly(0);
    assertThat(on.backing().allocatedBytes()).isZero();
    assertThat(on.backing().extentAt(7)).isEqualTo(new Extent(7, SIZE_BYTES - 7, true));
  }

  @Test
  void readsOverwriteWhatTheMemoryHeld() {
    for (boolean now : new boolean[] {false, true}) {
      try (AlignedMemory memory = AlignedMemory.allocate(8, 2 * STEP_BYTES)) {
        memory.segment().fill((byte) 7);
        BlockRequest read =
            BackingFixture.request(BlockOp.READ, 3, 2 * STEP_BYTES - 1, memory.address(), 0);
        read.advance(1);
        assertThat(now ? on.backing().tryNow(read) : on.backing().execute(read))
            .isEqualTo(STEP_BYTES);
        byte[] found = memory.segment().toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < found.length; i++) {
          assertThat(found[i]).isEqualTo((byte) (i >= 1 && i <= STEP_BYTES ? 0 : 7));
        }
      }
    }
  }

  @Test
  void itNeverWaitsAndPromisesNothing() {
    var found = on.backing().capabilities();
    assertThat(found.neverBlocks()).isTrue();
    assertThat(found.nowaitRead().available()).isTrue();
    assertThat(found.nowaitWrite().available()).isTrue();
    assertThat(found.stable().available()).isFalse();
    assertThat(found.stable().reason()).isEqualTo("a null volume keeps nothing");
    assertThat(on.backing().description()).isEqualTo("null:1TiB");
    for (BlockOp op : new BlockOp[] {BlockOp.FLUSH, BlockOp.DISCARD, BlockOp.ZERO}) {
      assertThat(on.backing().tryNow(BackingFixture.request(op, 0, 4096, 0, 0)))
          .isEqualTo(-Errno.EOPNOTSUPP);
    }
  }

  @Test
  void itHasTheSizeItIsTold() {
    on.backing().resize(4096);
    assertThat(on.backing().geometry().sizeBytes()).isEqualTo(4096);
    assertThat(on.backing().description()).isEqualTo("null:4KiB");
    for (long bad : new long[] {0, -4096, 4097}) {
      assertThatThrownBy(() -> on.backing().resize(bad)).isInstanceOf(BackingException.class);
      assertThatThrownBy(() -> NullBacking.open(bad, new OpenOptions(false, DirectIo.AUTO, 4096)))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("ask for a multiple of 4096");
    }
    assertThatThrownBy(() -> NullBacking.open(4096, new OpenOptions(false, true, 512)))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("takes no `direct=on`");
  }

  @Test
  void allOfASizeAreTheSame() {
    OpenOptions readOnly = new OpenOptions(true, DirectIo.AUTO, 512);
    try (BackingFixture reader = new BackingFixture(NullBacking.open(SIZE_BYTES, readOnly));
        Backing smaller = NullBacking.open(512, readOnly)) {
      assertThat(reader.backing().identity())
          .isEqualTo(on.backing().identity())
          .isNotEqualTo(smaller.identity())
          .matches("[A-Za-z0-9._~]+");
      assertThat(reader.write(0, new byte[1], 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.discard(0, 1)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.zero(0, 1, 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(reader.tryWrite(0, new byte[1], 0)).isEqualTo(-Errno.EOPNOTSUPP);
      assertThat(reader.read(0, 512)).containsOnly(0);
      assertThatThrownBy(() -> reader.backing().resize(512)).isInstanceOf(BackingException.class);
    }
  }
}

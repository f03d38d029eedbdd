package io.loopgate.backing.ram;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingContract;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.Extent;
import io.loopgate.backing.OpenOptions;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.ScriptedSystemCalls;
import io.loopgate.sys.SystemCalls;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A RAM disk is a disk like any other while it lasts. */
class RamBackingTest extends BackingContract {
  private static final int CHUNK_BYTES = ChunkTable.CHUNK_BYTES;
  private static final OpenOptions WRITABLE = new OpenOptions(false, DirectIo.AUTO, BLOCK_BYTES);

  private final RamQuota quota = new RamQuota(16L * CHUNK_BYTES);

  @Override
  protected Backing openFresh() {
    return open(SIZE_BYTES, SystemCalls.instance());
  }

  private RamBacking open(long sizeBytes, SystemCalls calls) {
    return RamBacking.open(sizeBytes, WRITABLE, quota, calls);
  }

  @Override
  protected void removeStore() {
    assertThat(quota.takenBytes()).as("everything is given back").isZero();
  }

  @Override
  protected boolean neverBlocks() {
    return true;
  }

  @Test
  void nothingIsStableAndBothDirectionsNeverWait() {
    assertThat(on().backing().capabilities().stable().available()).isFalse();
    assertThat(on().backing().capabilities().stable().reason())
        .isEqualTo("it is kept in memory, and lost when the process ends");
    assertThat(on().backing().capabilities().nowaitRead().available()).isTrue();
    assertThat(on().backing().capabilities().nowaitWrite().available()).isTrue();
    assertThat(on().backing().description()).isEqualTo("ram:4MiB");
  }

  @Test
  void aTryMovesAMebibyteAndNoMore() {
    byte[] bytes = pattern(3 * CHUNK_BYTES, 1);
    assertThat(on().tryWrite(100, bytes, 0)).isEqualTo(CHUNK_BYTES);
    assertThat(on().tryWrite(100, Arrays.copyOf(bytes, CHUNK_BYTES), BlockRequest.FUA))
        .isEqualTo(CHUNK_BYTES);
    assertThat(on().read(100, CHUNK_BYTES)).isEqualTo(Arrays.copyOf(bytes, CHUNK_BYTES));
    assertThat(on().tryRead(0, 2 * CHUNK_BYTES)).isEqualTo(CHUNK_BYTES);
  }

  @Test
  void memoryIsTakenInChunksAndGivenBackInChunks() {
    Backing ram = on().backing();
    assertThat(ram.allocatedBytes()).isZero();
    assertThat(ram.extentAt(5)).isEqualTo(new Extent(5, SIZE_BYTES - 5, true));
    on().write(CHUNK_BYTES + 10, pattern(1, 2), 0);
    assertThat(ram.allocatedBytes()).isEqualTo(CHUNK_BYTES);
    assertThat(ram.extentAt(0)).isEqualTo(new Extent(0, CHUNK_BYTES, true));
    assertThat(ram.extentAt(CHUNK_BYTES)).isEqualTo(new Extent(CHUNK_BYTES, CHUNK_BYTES, false));

    on().write(0, pattern(SIZE_BYTES, 3), 0);
    assertThat(ram.allocatedBytes()).isEqualTo(SIZE_BYTES);
    assertThat(on().discard(1, 3L * CHUNK_BYTES)).isEqualTo(3L * CHUNK_BYTES);
    assertThat(ram.allocatedBytes()).as("the edges stay").isEqualTo(2L * CHUNK_BYTES);
    assertThat(ram.extentAt(CHUNK_BYTES))
        .isEqualTo(new Extent(CHUNK_BYTES, 2L * CHUNK_BYTES, true));
    assertThat(on().zero(0, SIZE_BYTES, 0)).isEqualTo(SIZE_BYTES);
    assertThat(ram.allocatedBytes()).as("zeroing keeps them").isEqualTo(2L * CHUNK_BYTES);
    assertThat(on().zero(0, SIZE_BYTES, BlockRequest.MAY_UNMAP)).isEqualTo(SIZE_BYTES);
    assertThat(ram.allocatedBytes()).isZero();
    assertThat(on().read(0, SIZE_BYTES)).containsOnly(0);
  }

  @Test
  void pagesGoBackToTheMachineWithADiscard() {
    AtomicInteger dropped = new AtomicInteger();
    SystemCalls counting =
        ScriptedSystemCalls.with(
            (name, arguments) -> {
              if (name.equals("dropMemory")) {
                dropped.incrementAndGet();
              }
              return OptionalLong.empty();
            });
    try (BackingFixture ram = new BackingFixture(open(2L * CHUNK_BYTES, counting))) {
      ram.discard(0, 2L * CHUNK_BYTES);
      assertThat(dropped).as("nothing was there").hasValue(0);
      ram.write(0, pattern(CHUNK_BYTES, 4), 0);
      ram.discard(0, 2L * CHUNK_BYTES);
      ram.discard(0, 2L * CHUNK_BYTES);
      assertThat(dropped).hasValue(1);
    }
  }

  @Test
  void pagesThatWillNotGoAreZeroed() {
    SystemCalls refusing =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("dropMemory") ? OptionalLong.of(-Errno.EINVAL) : OptionalLong.empty());
    try (BackingFixture ram = new BackingFixture(open(CHUNK_BYTES, refusing))) {
      ram.write(0, pattern(CHUNK_BYTES, 5), 0);
      ram.discard(0, CHUNK_BYTES);
      ram.write(7, new byte[] {1}, 0);
      assertThat(ram.read(0, 7)).containsOnly(0);
      assertThat(ram.read(8, CHUNK_BYTES - 8)).containsOnly(0);
    }
  }

  @Test
  void aMachineWithoutMemoryIsAFullDisk() {
    AtomicInteger left = new AtomicInteger(1);
    SystemCalls tight =
        ScriptedSystemCalls.with(
            (name, arguments) ->
                name.equals("mapMemory") && left.getAndDecrement() <= 0
                    ? OptionalLong.of(-Errno.ENOMEM)
                    : OptionalLong.empty());
    try (BackingFixture ram = new BackingFixture(open(2L * CHUNK_BYTES, tight))) {
      byte[] across = pattern(2 * BLOCK_BYTES, 6);
      assertThat(ram.tryWrite(CHUNK_BYTES - BLOCK_BYTES, across, 0)).isEqualTo(BLOCK_BYTES);
      assertThat(ram.write(CHUNK_BYTES - BLOCK_BYTES, across, 0)).isEqualTo(-Errno.ENOSPC);
      assertThat(ram.read(CHUNK_BYTES - BLOCK_BYTES, BLOCK_BYTES))
          .isEqualTo(Arrays.copyOf(across, BLOCK_BYTES));
      assertThat(ram.read(CHUNK_BYTES, BLOCK_BYTES)).containsOnly(0);
    }
  }

  @Test
  void resizingGrowsAndShrinksAndNothingComesBack() {
    Backing ram = on().backing();
    ram.resize(10L * CHUNK_BYTES);
    assertThat(ram.description()).isEqualTo("ram:10MiB");
    assertThat(on().read(SIZE_BYTES, CHUNK_BYTES)).containsOnly(0);
    on().write(0, pattern(10 * CHUNK_BYTES, 7), 0);
    long small = 2L * CHUNK_BYTES + BLOCK_BYTES;
    ram.resize(small);
    assertThat(ram.geometry().sizeBytes()).isEqualTo(small);
    assertThat(ram.allocatedBytes()).isEqualTo(small);
    assertThat(quota.takenBytes()).isEqualTo(small);
    assertThat(on().readResult(small, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    ram.resize(10L * CHUNK_BYTES);
    assertThat(on().read(0, (int) small))
        .isEqualTo(Arrays.copyOf(pattern(10 * CHUNK_BYTES, 7), (int) small));
    assertThat(on().read(small, 10 * CHUNK_BYTES - (int) small)).containsOnly(0);
    assertThatThrownBy(() -> ram.resize(BLOCK_BYTES + 1))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("ask for a multiple of 4096");
    assertThatThrownBy(() -> ram.resize(0)).isInstanceOf(BackingException.class);
    assertThatThrownBy(() -> ram.resize(17L * CHUNK_BYTES))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("is too large");
    assertThat(ram.geometry().sizeBytes()).isEqualTo(10L * CHUNK_BYTES);
  }

  @Test
  void allTogetherTakeNoMoreThanTheMachineCanSpare() {
    assertThatThrownBy(() -> open(13L * CHUNK_BYTES, SystemCalls.instance()))
        .isInstanceOf(BackingException.class)
        .hasMessage(
            "ram:13MiB is too large: volumes in memory may hold half of this machine's memory,"
                + " which is 16MiB, and 12MiB of that are free; ask for less, or name a file");
    open(12L * CHUNK_BYTES, SystemCalls.instance()).close();
    open(12L * CHUNK_BYTES, SystemCalls.instance()).close();
    assertThatThrownBy(() -> RamBacking.open(1L << 62, WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("half of this machine's memory");
  }

  @Test
  void sizesAndOptionsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> RamBacking.open(1000, WRITABLE))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("ram:1000B cannot have 1000B: ask for a multiple of 4096 bytes");
    assertThatThrownBy(() -> RamBacking.open(0, WRITABLE)).isInstanceOf(BackingException.class);
    assertThatThrownBy(() -> RamBacking.open(1 << 20, new OpenOptions(false, true, 512)))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("takes no `direct=on`");
  }

  @Test
  void aReaderHoldsZeroesThatAreTheSameEachTime() {
    OpenOptions readOnly = new OpenOptions(true, DirectIo.AUTO, BLOCK_BYTES);
    try (BackingFixture one = new BackingFixture(RamBacking.open(CHUNK_BYTES, readOnly));
        BackingFixture two = new BackingFixture(RamBacking.open(CHUNK_BYTES, readOnly))) {
      assertThat(one.backing().identity()).isEqualTo(two.backing().identity());
      assertThat(one.backing().readOnly()).isTrue();
      assertThat(one.read(0, CHUNK_BYTES)).containsOnly(0);
      assertThat(one.write(0, new byte[1], 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(one.discard(0, 1)).isEqualTo(-Errno.READ_ONLY);
      assertThat(one.zero(0, 1, 0)).isEqualTo(-Errno.READ_ONLY);
      assertThat(one.tryWrite(0, new byte[1], 0)).isEqualTo(-Errno.EOPNOTSUPP);
      assertThat(one.flush()).isZero();
      assertThatThrownBy(() -> one.backing().resize(2L * CHUNK_BYTES))
          .isInstanceOf(BackingException.class);
    }
    assertThat(on().backing().identity()).isNotEqualTo(anotherIdentity());
  }

  private String anotherIdentity() {
    try (Backing another = openFresh()) {
      return another.identity();
    }
  }

  @Test
  void holesOverwriteWhatTheReadersMemoryHeld() {
    try (AlignedMemory memory = AlignedMemory.allocate(BLOCK_BYTES, BLOCK_BYTES)) {
      memory.segment().fill((byte) 7);
      BlockRequest read = BackingFixture.request(BlockOp.READ, 0, BLOCK_BYTES, memory.address(), 0);
      assertThat(on().backing().tryNow(read)).isEqualTo(BLOCK_BYTES);
      assertThat(memory.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }
}

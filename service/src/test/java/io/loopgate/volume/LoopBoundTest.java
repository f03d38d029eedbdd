package io.loopgate.volume;

import static io.loopgate.volume.VolumeFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many commands a loop may have in flight, and what finds room behind the bound. */
class LoopBoundTest {
  private static final int SIZE_BYTES = 1 << 20;

  private final VolumeFixture on =
      new VolumeFixture(2, 1, SIZE_BYTES, VolumeFixture.settings("workers:4", true, 512));

  @AfterEach
  void close() {
    on.close();
  }

  @Test
  void workThatBeginsIsRefusedOnAFullLoopAndNotOnAnother() {
    byte[] block = BackingFixture.pattern(4096, 1);
    FaultyBacking.Gate gate = on.backing().hold();
    CompletableFuture<Long> held = on.write(0, 0, block);
    Await.until("held", () -> gate.waiting() == 1);
    assertThat(get(on.write(0, 8192, block))).isEqualTo(-Errno.OVERLOADED);
    assertThat(get(on.zero(0, 8192, 4096, true))).isEqualTo(-Errno.OVERLOADED);
    assertThat(get(on.readTo(0, IoWindow.around(0, 4096, on.volume().geometry()), 0)))
        .isEqualTo(-Errno.OVERLOADED);
    CompletableFuture<Long> elsewhere = on.write(1, 16_384, block);
    Await.until("held too", () -> gate.waiting() == 2);
    gate.release();
    assertThat(get(held)).isEqualTo(4096);
    assertThat(get(elsewhere)).isEqualTo(4096);
    assertThat(get(on.write(0, 8192, block))).isEqualTo(4096);
  }

  @Test
  void flushesAndTheRestOfAReadModifyWriteFindRoom() {
    byte[] bytes = BackingFixture.pattern(10_000, 2);
    FaultyBacking.Gate reads = on.backing().hold(request -> request.op() == BlockOp.READ);
    CompletableFuture<Long> written = on.write(0, 100, bytes);
    Await.until("the first edge is being read", () -> reads.waiting() == 1);
    FaultyBacking.Gate flushes = on.backing().hold(request -> request.op() == BlockOp.FLUSH);
    CompletableFuture<Long> flushed = on.flush(0);
    Await.until("the flush runs", () -> flushes.waiting() == 1);
    reads.release();
    assertThat(get(written)).as("two more commands behind a flush").isEqualTo(bytes.length);
    assertThat(flushed).isNotDone();
    assertThat(get(on.write(0, 0, bytes))).isEqualTo(-Errno.OVERLOADED);
    flushes.release();
    assertThat(get(flushed)).isZero();
    byte[] read = on.read(0, 100, bytes.length);
    assertThat(Arrays.equals(read, bytes)).isTrue();
  }
}

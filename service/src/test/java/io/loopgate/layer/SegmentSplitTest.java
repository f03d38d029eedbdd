package io.loopgate.layer;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import io.loopgate.layer.SplitFixture.End;
import io.loopgate.sys.AlignedMemory;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands across segments: their bytes, and what becomes of a segment that fails or stalls. */
class SegmentSplitTest {
  private static final int BLOCK_BYTES = 512;
  private static final int[] SIZES = {5 * BLOCK_BYTES, 7 * BLOCK_BYTES, 9 * BLOCK_BYTES};
  private static final int[] STARTS = {0, 5 * BLOCK_BYTES, 12 * BLOCK_BYTES};
  private static final int TOTAL_BYTES = 21 * BLOCK_BYTES;

  private SplitFixture on;

  @BeforeEach
  void open() {
    on = new SplitFixture("workers:2", SIZES);
  }

  @AfterEach
  void close() {
    on.close();
  }

  private static byte[] slice(byte[] of, int fromBytes, int lengthBytes) {
    return Arrays.copyOfRange(of, fromBytes, fromBytes + lengthBytes);
  }

  /** Returns what lies in a segment, past all faults. */
  private byte[] content(int segment) {
    on.segment(segment).heal();
    return new BackingFixture(on.segment(segment)).read(0, SIZES[segment]);
  }

  @Test
  void aCommandAcrossAllSegmentsEndsOnce() {
    byte[] bytes = pattern(TOTAL_BYTES, 1);
    assertThat(on.write(0, bytes)).isEqualTo(new End(TOTAL_BYTES, TOTAL_BYTES));
    assertThat(on.read(0, TOTAL_BYTES)).isEqualTo(bytes);
    for (int i = 0; i < SIZES.length; i++) {
      assertThat(content(i)).isEqualTo(slice(bytes, STARTS[i], SIZES[i]));
    }
  }

  @Test
  void aCommandInsideASegmentIsOnePart() {
    byte[] bytes = pattern(3 * BLOCK_BYTES, 2);
    for (int i = 0; i < SIZES.length; i++) {
      long before = on.segment(i).executed();
      on.write(STARTS[i], bytes);
      assertThat(on.segment(i).executed() - before).isEqualTo(1);
    }
    assertThat(on.segment(0).executed() + on.segment(1).executed() + on.segment(2).executed())
        .isEqualTo(3);
    assertThat(on.read(STARTS[1], bytes.length)).isEqualTo(bytes);
  }

  @Test
  void discardAndZeroCrossSegments() {
    byte[] bytes = pattern(TOTAL_BYTES, 3);
    for (BlockOp op : new BlockOp[] {BlockOp.DISCARD, BlockOp.ZERO}) {
      on.write(0, bytes);
      int from = STARTS[1] - 700;
      int length = SIZES[1] + 1500;
      assertThat(on.run(op, from, length, BlockRequest.MAY_UNMAP))
          .isEqualTo(new End(length, length));
      byte[] expected = bytes.clone();
      Arrays.fill(expected, from, from + length, (byte) 0);
      assertThat(on.read(0, TOTAL_BYTES)).isEqualTo(expected);
    }
  }

  @Test
  void flagsReachEveryPart() {
    for (int i = 0; i < SIZES.length; i++) {
      on.segment(i).fail(request -> !request.mayUnmap(), Errno.EIO, 1, Integer.MAX_VALUE);
    }
    assertThat(on.run(BlockOp.ZERO, 0, TOTAL_BYTES, BlockRequest.MAY_UNMAP).result())
        .isEqualTo(TOTAL_BYTES);
    assertThat(on.run(BlockOp.ZERO, 0, TOTAL_BYTES, 0).result()).isEqualTo(-Errno.EIO);
  }

  @Test
  void aFaultInOneSegmentIsTheCommandsAndTellsHowFarItCame() {
    for (int faulty = 0; faulty < SIZES.length; faulty++) {
      on.write(0, new byte[TOTAL_BYTES]);
      byte[] bytes = pattern(TOTAL_BYTES, faulty);
      on.segment(faulty)
          .shortenTo(BLOCK_BYTES)
          .fail(request -> request.doneBytes() == 2 * BLOCK_BYTES, Errno.ENODEV, 1, 100);
      int from = 100;
      End end = on.write(from, slice(bytes, from, TOTAL_BYTES - from));
      int partStart = Math.max(from, STARTS[faulty]);
      assertThat(end)
          .as("segment %d", faulty)
          .isEqualTo(new End(-Errno.ENODEV, partStart - from + 2L * BLOCK_BYTES));
      for (int i = 0; i < SIZES.length; i++) {
        byte[] expected = slice(bytes, STARTS[i], SIZES[i]);
        if (i == 0) {
          Arrays.fill(expected, 0, from, (byte) 0);
        }
        if (i == faulty) {
          int good = (i == 0 ? from : 0) + 2 * BLOCK_BYTES;
          Arrays.fill(expected, good, expected.length, (byte) 0);
        }
        assertThat(content(i)).as("segment %d of %d", i, faulty).isEqualTo(expected);
      }
    }
  }

  @Test
  void ofSeveralFaultsTheFirstInOrderCounts() {
    FaultyBacking.Gate gate = on.segment(1).hold();
    on.segment(1).failAll(BlockOp.READ, Errno.EIO);
    on.segment(2).failAll(BlockOp.READ, Errno.ENODEV);
    try (var memory = AlignedMemory.allocate(8, TOTAL_BYTES)) {
      CompletableFuture<End> end = on.submit(BlockOp.READ, 0, TOTAL_BYTES, memory.address(), 0);
      Await.until("the last one failed", () -> on.segment(2).executed() == 1);
      assertThat(end).as("it waits for all parts").isNotDone();
      gate.release();
      assertThat(SplitFixture.get(end)).isEqualTo(new End(-Errno.EIO, STARTS[1]));
    }
  }

  @Test
  void aStalledSegmentHoldsUpOnlyWhatTouchesIt() throws Exception {
    FaultyBacking.Gate gate = on.segment(1).hold();
    try (var memory = AlignedMemory.allocate(8, TOTAL_BYTES)) {
      CompletableFuture<End> across =
          on.submit(BlockOp.READ, STARTS[1] - 10L, 20, memory.address(), 0);
      gate.awaitWaiting(1);
      for (int round = 0; round < 20; round++) {
        assertThat(on.write(0, pattern(SIZES[0], round)).result()).isEqualTo(SIZES[0]);
        assertThat(on.write(STARTS[2], pattern(SIZES[2], round)).result()).isEqualTo(SIZES[2]);
        assertThat(on.read(0, SIZES[0])).isEqualTo(pattern(SIZES[0], round));
      }
      assertThat(across).isNotDone();
      assertThat(on.split().inFlight()).isEqualTo(1);
      gate.release();
      assertThat(SplitFixture.get(across)).isEqualTo(new End(20, 20));
    }
  }

  @Test
  void aFlushGoesToAllAndOneFailureIsItsFailure() {
    assertThat(on.run(BlockOp.FLUSH, 0, 0, 0)).isEqualTo(new End(0, 0));
    for (int i = 0; i < SIZES.length; i++) {
      assertThat(on.segment(i).executed()).isEqualTo(1);
    }
    for (int faulty = 0; faulty < SIZES.length; faulty++) {
      on.segment(faulty).failFlush(Errno.EIO);
      assertThat(on.run(BlockOp.FLUSH, 0, 0, 0)).isEqualTo(new End(-Errno.EIO, 0));
      on.segment(faulty).heal();
      for (int i = 0; i < SIZES.length; i++) {
        assertThat(on.segment(i).executed()).isEqualTo(2 + faulty);
      }
    }
  }

  @Test
  void closingUnderLoadEndsEveryAcceptedCommandWhole() {
    for (int round = 0; round < 20; round++) {
      try (SplitFixture busy = new SplitFixture("workers:2", SIZES);
          Resubmitting load = new Resubmitting(busy, 16, TOTAL_BYTES)) {
        Await.until("it runs", () -> load.ended() > 50);
        busy.split().close();
        Await.until("all refused", () -> load.refused() == 16);
        assertThat(load.wrong()).isZero();
      }
    }
  }

  /** Reads everything again and again, from each completion, until it is refused. */
  private static final class Resubmitting implements AutoCloseable {
    private final SplitFixture on;
    private final AlignedMemory memory;
    private final long lengthBytes;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();

    Resubmitting(SplitFixture on, int slots, int lengthBytes) {
      this.on = on;
      this.lengthBytes = lengthBytes;
      this.memory = AlignedMemory.allocate(Long.BYTES, lengthBytes);
      for (int i = 0; i < slots; i++) {
        BlockRequest request = new BlockRequest(on.loop().completions());
        on.loop().execute(() -> submit(request));
      }
    }

    private void submit(BlockRequest request) {
      request.prepare(
          BlockOp.READ,
          0,
          lengthBytes,
          memory.address(),
          0,
          BlockRequest.NO_DEADLINE,
          (done, result) -> {
            ended.incrementAndGet();
            if (result != lengthBytes) {
              wrong.incrementAndGet();
            }
            submit(done);
          });
      if (!on.split().submit(request)) {
        refused.incrementAndGet();
      }
    }

    int ended() {
      return ended.get();
    }

    int refused() {
      return refused.get();
    }

    int wrong() {
      return wrong.get();
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  @Test
  void aCommandOfNoLengthEnds() {
    for (long offset : new long[] {0, STARTS[1], TOTAL_BYTES}) {
      assertThat(on.run(BlockOp.READ, offset, 0, 0)).isEqualTo(new End(0, 0));
    }
  }

  @Test
  void inlineOnMemoryEndsInsideSubmit() {
    try (SplitFixture inline = new SplitFixture("inline", SIZES)) {
      byte[] bytes = pattern(TOTAL_BYTES, 4);
      assertThat(inline.write(0, bytes)).isEqualTo(new End(TOTAL_BYTES, TOTAL_BYTES));
      assertThat(inline.read(0, TOTAL_BYTES)).isEqualTo(bytes);
      assertThat(inline.split().inFlight()).isZero();
    }
  }
}

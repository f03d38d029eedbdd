package io.loopgate.backing;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every backing promises ({@link Backing}); one subclass per kind. */
public abstract class BackingContract {
  protected static final int BLOCK_BYTES = 4096;

  /** Small enough to model as an array, and a multiple of all that counts. */
  protected static final int SIZE_BYTES = 4 << 20;

  private static final int RANDOM_OPS = 300;

  private BackingFixture on;

  /** Makes a store of {@link #SIZE_BYTES} zeroes and opens it for writing. */
  protected abstract Backing openFresh() throws Exception;

  /** Tells whether no command of it ever waits. */
  protected boolean neverBlocks() {
    return false;
  }

  /** Removes the store. */
  protected abstract void removeStore() throws Exception;

  @BeforeEach
  void open() throws Exception {
    on = new BackingFixture(openFresh());
  }

  @AfterEach
  void close() throws Exception {
    on.close();
    removeStore();
  }

  /** Returns the fixture of the store under test. */
  protected final BackingFixture on() {
    return on;
  }

  private int unit() {
    return on.backing().geometry().alignmentBytes();
  }

  @Test
  void shapeIsThatOfTheStore() {
    Geometry geometry = on.backing().geometry();
    assertThat(geometry.sizeBytes()).isEqualTo(SIZE_BYTES);
    assertThat(BLOCK_BYTES % geometry.alignmentBytes()).isZero();
    assertThat(Integer.bitCount(geometry.memoryAlignmentBytes())).isEqualTo(1);
    assertThat(geometry.preferredIoBytes()).isEqualTo(256 * 1024);
    assertThat(on.backing().readOnly()).isFalse();
    assertThat(on.backing().description()).isNotEmpty();
  }

  @Test
  void everyCapabilityHasAReason() {
    BackingCapabilities found = on.backing().capabilities();
    assertThat(
            new Support[] {
              found.nowaitRead(),
              found.nowaitWrite(),
              found.direct(),
              found.punchHole(),
              found.zeroRange(),
              found.dsync(),
              found.stable(),
              found.extents()
            })
        .allSatisfy(support -> assertThat(support.reason()).isNotBlank().doesNotContain("\n"));
    assertThat(found.neverBlocks()).isEqualTo(neverBlocks());
  }

  @Test
  void whatIsWrittenIsRead() {
    for (int length : new int[] {unit(), BLOCK_BYTES, 3 * BLOCK_BYTES, 1 << 20}) {
      byte[] bytes = pattern(length, length);
      assertThat(on.write(5L * BLOCK_BYTES, bytes, 0)).isEqualTo(length);
      assertThat(on.read(5L * BLOCK_BYTES, length)).isEqualTo(bytes);
    }
  }

  @Test
  void theFirstAndTheLastBlockAreThere() {
    byte[] first = pattern(BLOCK_BYTES, 1);
    byte[] last = pattern(BLOCK_BYTES, 2);
    assertThat(on.write(0, first, 0)).isEqualTo(BLOCK_BYTES);
    assertThat(on.write(SIZE_BYTES - BLOCK_BYTES, last, 0)).isEqualTo(BLOCK_BYTES);
    assertThat(on.read(0, BLOCK_BYTES)).isEqualTo(first);
    assertThat(on.read(SIZE_BYTES - BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(last);
  }

  @Test
  void aStepGoesOnWhereTheLastOneEnded() {
    byte[] bytes = pattern(2 * BLOCK_BYTES, 3);
    on.write(0, bytes, 0);
    try (AlignedMemory memory = AlignedMemory.allocate(BLOCK_BYTES, 2L * BLOCK_BYTES)) {
      BlockRequest request =
          BackingFixture.request(BlockOp.READ, 0, 2L * BLOCK_BYTES, memory.address(), 0);
      request.advance(BLOCK_BYTES);
      assertThat(on.backing().execute(request)).isEqualTo(BLOCK_BYTES);
      byte[] read = memory.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
      assertThat(Arrays.copyOf(read, BLOCK_BYTES)).containsOnly(0);
      assertThat(Arrays.copyOfRange(read, BLOCK_BYTES, 2 * BLOCK_BYTES))
          .isEqualTo(Arrays.copyOfRange(bytes, BLOCK_BYTES, 2 * BLOCK_BYTES));
      assertThat(request.doneBytes()).as("the caller advances").isEqualTo(BLOCK_BYTES);
    }
  }

  @Test
  void commandsOfNoLengthDoNothing() {
    for (BlockOp op : new BlockOp[] {BlockOp.READ, BlockOp.WRITE, BlockOp.DISCARD, BlockOp.ZERO}) {
      assertThat(on.backing().execute(BackingFixture.request(op, BLOCK_BYTES, 0, 0, 0))).isZero();
    }
  }

  @Test
  void durableWritesAndFlushesSucceed() {
    byte[] bytes = pattern(BLOCK_BYTES, 4);
    assertThat(on.write(0, bytes, BlockRequest.FUA)).isEqualTo(BLOCK_BYTES);
    assertThat(on.zero(BLOCK_BYTES, BLOCK_BYTES, BlockRequest.FUA)).isEqualTo(BLOCK_BYTES);
    assertThat(on.flush()).isZero();
    assertThat(on.read(0, BLOCK_BYTES)).isEqualTo(bytes);
  }

  @Test
  void erasedRangesReadAsZeroesAndTheirEdgesStay() {
    int[][] ranges = {
      {0, BLOCK_BYTES},
      {1, 1},
      {511, 2},
      {BLOCK_BYTES - 1, BLOCK_BYTES + 2},
      {100, 3 * BLOCK_BYTES},
      {777, 200_001},
      {SIZE_BYTES - 300_000, 300_000},
      {BLOCK_BYTES + 13, 2_500_000}
    };
    byte[] full = pattern(SIZE_BYTES, 5);
    for (int[] range : ranges) {
      for (int way = 0; way < 3; way++) {
        on.write(0, full, 0);
        long result =
            switch (way) {
              case 0 -> on.discard(range[0], range[1]);
              case 1 -> on.zero(range[0], range[1], 0);
              default -> on.zero(range[0], range[1], BlockRequest.MAY_UNMAP);
            };
        assertThat(result).isEqualTo(range[1]);
        byte[] expected = full.clone();
        Arrays.fill(expected, range[0], range[0] + range[1], (byte) 0);
        assertThat(Arrays.equals(on.read(0, SIZE_BYTES), expected))
            .as("way %d at %d length %d", way, range[0], range[1])
            .isTrue();
      }
    }
  }

  @Test
  void randomCommandsAgreeWithAnArray() {
    byte[] model = new byte[SIZE_BYTES];
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < RANDOM_OPS; i++) {
      int unit = i % 2 == 0 ? unit() : BLOCK_BYTES;
      int length = unit * (1 + random.nextInt(200_000 / unit));
      int offset = unit * random.nextInt((SIZE_BYTES - length) / unit + 1);
      int edge = random.nextInt(Math.min(length, 1000));
      switch (random.nextInt(5)) {
        case 0 -> {
          byte[] bytes = pattern(length, random.nextLong());
          assertThat(on.write(offset, bytes, random.nextInt(8) == 0 ? BlockRequest.FUA : 0))
              .isEqualTo(length);
          System.arraycopy(bytes, 0, model, offset, length);
        }
        case 1 -> {
          assertThat(on.discard(offset + edge, length - edge)).isEqualTo(length - edge);
          Arrays.fill(model, offset + edge, offset + length, (byte) 0);
        }
        case 2 -> {
          int flags = random.nextBoolean() ? BlockRequest.MAY_UNMAP : 0;
          assertThat(on.zero(offset, length - edge, flags)).isEqualTo(length - edge);
          Arrays.fill(model, offset, offset + length - edge, (byte) 0);
        }
        default ->
            assertThat(
                    Arrays.equals(
                        on.read(offset, length), 0, length, model, offset, offset + length))
                .as("seed %d, command %d: %d at %d", seed, i, length, offset)
                .isTrue();
      }
    }
    assertThat(Arrays.equals(on.read(0, SIZE_BYTES), model)).as("seed %d", seed).isTrue();
  }

  @Test
  void extentsCoverTheStore() {
    on.write(1 << 20, pattern(BLOCK_BYTES, 6), 0);
    long offset = 0;
    while (offset < SIZE_BYTES) {
      Extent extent = on.backing().extentAt(offset);
      assertThat(extent.startBytes()).isEqualTo(offset);
      assertThat(extent.lengthBytes()).isPositive();
      if (extent.hole()) {
        assertThat(on.read(offset, (int) extent.lengthBytes())).containsOnly(0);
      }
      offset = extent.endBytes();
    }
    assertThat(offset).isEqualTo(SIZE_BYTES);
    assertThat(on.backing().extentAt(1 << 20).hole()).isFalse();
  }

  @Test
  void waitingCommandsAreNeverTried() {
    for (BlockOp op : new BlockOp[] {BlockOp.FLUSH, BlockOp.DISCARD, BlockOp.ZERO}) {
      assertThat(on.backing().tryNow(BackingFixture.request(op, 0, BLOCK_BYTES, 0, 0)))
          .isEqualTo(-Errno.EOPNOTSUPP);
    }
  }

  @Test
  void tryingAgreesWithTheCapabilities() {
    BackingCapabilities found = on.backing().capabilities();
    byte[] bytes = pattern(BLOCK_BYTES, 7);
    on.write(0, bytes, 0);
    long read = on.tryRead(0, BLOCK_BYTES);
    boolean inLine = !found.direct().available();
    if (inLine && found.nowaitRead().available()) {
      assertThat(read).as("just written, so cached").isEqualTo(BLOCK_BYTES);
    } else {
      assertThat(read).isEqualTo(-Errno.EOPNOTSUPP);
    }
    if (!inLine || !found.nowaitWrite().available()) {
      assertThat(on.tryWrite(0, bytes, 0)).isEqualTo(-Errno.EOPNOTSUPP);
    }
  }

  @Test
  void identityFitsIntoAnEntityTag() {
    assertThat(on.backing().identity()).matches("[A-Za-z0-9._~]+");
  }

  @Test
  void closingTwiceIsHarmless() {
    on.close();
    on.close();
  }
}

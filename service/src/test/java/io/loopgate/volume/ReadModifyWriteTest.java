package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Unaligned writes to a direct volume. */
class ReadModifyWriteTest {
  private static final int SIZE_BYTES = 64 * 1024;
  private static final int LOOPS = 3;

  private final List<VolumeFixture> open = new ArrayList<>();

  @BeforeProperty
  @BeforeEach
  void open() {
    open.add(new VolumeFixture(LOOPS, SIZE_BYTES, VolumeFixture.settings("workers:4", true, 512)));
  }

  @AfterProperty
  @AfterEach
  void close() {
    open.forEach(VolumeFixture::close);
  }

  @Property(tries = 60)
  void neighboursInABlockLoseNoByte(@ForAll long seed) {
    VolumeFixture on = open.getFirst();
    Random random = new Random(seed);
    byte[] model = on.read(0, 0, SIZE_BYTES);
    List<int[]> ranges = new ArrayList<>();
    int position = random.nextInt(100);
    while (position < SIZE_BYTES - 1) {
      int length = Math.min(SIZE_BYTES - position, 1 + random.nextInt(3_000));
      ranges.add(new int[] {position, length});
      position += length + (random.nextBoolean() ? 0 : random.nextInt(200));
    }
    Collections.shuffle(ranges, random);
    List<CompletableFuture<Long>> writes = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      int from = ranges.get(i)[0];
      int length = ranges.get(i)[1];
      if (random.nextInt(8) == 0) {
        writes.add(on.zero(i % LOOPS, from, length, random.nextBoolean()));
        Arrays.fill(model, from, from + length, (byte) 0);
      } else {
        byte[] bytes = pattern(length, seed + i);
        writes.add(on.write(i % LOOPS, from, bytes));
        System.arraycopy(bytes, 0, model, from, length);
      }
    }
    for (int i = 0; i < ranges.size(); i++) {
      assertThat(VolumeFixture.get(writes.get(i))).isEqualTo(ranges.get(i)[1]);
    }
    assertThat(Arrays.equals(on.read(0, 0, SIZE_BYTES), model)).isTrue();
    assertThat(on.volume().running().engine().drain(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void aFailureEndsItAndLetsOthersIn() {
    VolumeFixture on = open.getFirst();
    on.backing().failNth(BlockOp.READ, 1, Errno.EIO);
    assertThat(VolumeFixture.get(on.write(0, 10, pattern(20, 1)))).isEqualTo(-Errno.EIO);
    on.backing().heal().failNth(BlockOp.WRITE, 1, Errno.ENOSPC);
    assertThat(VolumeFixture.get(on.write(0, 10, pattern(20, 1)))).isEqualTo(-Errno.ENOSPC);
    assertThat(VolumeFixture.get(on.write(1, 10, pattern(20, 1)))).isEqualTo(20);
    assertThat(on.read(2, 9, 22)).startsWith(0).containsSequence(pattern(20, 1)).endsWith(0);
  }
}

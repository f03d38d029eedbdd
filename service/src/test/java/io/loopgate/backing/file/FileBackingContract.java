package io.loopgate.backing.file;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.Extent;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.StoredBackingContract;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What files promise besides, buffered and direct. */
abstract class FileBackingContract extends StoredBackingContract {
  private final Path directory = BackingFixture.directory();
  private final Path image = directory.resolve("image.raw");
  private final boolean direct;

  FileBackingContract(boolean direct) {
    this.direct = direct;
  }

  final Path image() {
    return image;
  }

  @Override
  protected Backing openFresh() {
    FileBackings.create(image, SIZE_BYTES);
    return openAgain(false);
  }

  @Override
  protected Backing openAgain(boolean readOnly) {
    return FileBackings.open(image, new OpenOptions(readOnly, direct, BLOCK_BYTES));
  }

  @Override
  protected void removeStore() throws IOException {
    Files.deleteIfExists(image);
    Files.delete(directory);
  }

  private void shrinkBeneath(long sizeBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
      channel.truncate(sizeBytes);
    }
  }

  @Test
  void openingAndProbingLeavesContentAndTimesAlone() throws IOException {
    on().close();
    String before;
    try (Backing reader = openAgain(true)) {
      before = reader.identity();
    }
    openAgain(false).close();
    try (Backing reader = openAgain(true)) {
      assertThat(reader.identity()).isEqualTo(before);
    }
    try (var names = Files.list(directory)) {
      assertThat(names).containsExactly(image);
    }
  }

  @Test
  void identityChangesWithTheContent() {
    String before = on().backing().identity();
    on().write(0, pattern(BLOCK_BYTES, 1), BlockRequest.FUA);
    assertThat(on().backing().identity()).isNotEqualTo(before);
  }

  @Test
  void discardGivesSpaceBackAndZeroKeepsIt() {
    on().write(0, pattern(1 << 20, 2), BlockRequest.FUA);
    long written = on().backing().allocatedBytes();
    assertThat(written).isGreaterThanOrEqualTo(1 << 20);
    assertThat(on().zero(0, 1 << 19, 0)).isEqualTo(1 << 19);
    assertThat(on().backing().allocatedBytes()).isGreaterThanOrEqualTo(written);
    assertThat(on().discard(1 << 19, 1 << 19)).isEqualTo(1 << 19);
    assertThat(on().backing().allocatedBytes()).isLessThanOrEqualTo(written - (1 << 19));
    assertThat(on().write(0, pattern(1 << 19, 3), BlockRequest.FUA)).isEqualTo(1 << 19);
    assertThat(on().zero(0, 1 << 19, BlockRequest.MAY_UNMAP)).isEqualTo(1 << 19);
    assertThat(on().backing().allocatedBytes()).isLessThanOrEqualTo(written - (1 << 20));
    assertThat(Files.exists(image)).isTrue();
    assertThat(image).hasSize(SIZE_BYTES);
  }

  @Test
  void extentsTellHolesFromData() {
    int data = 1 << 20;
    on().write(data, pattern(2 * BLOCK_BYTES, 4), 0);
    assertThat(on().backing().extentAt(0)).isEqualTo(new Extent(0, data, true));
    assertThat(on().backing().extentAt(data)).isEqualTo(new Extent(data, 2L * BLOCK_BYTES, false));
    long behind = data + 2L * BLOCK_BYTES;
    assertThat(on().backing().extentAt(behind))
        .isEqualTo(new Extent(behind, SIZE_BYTES - behind, true));
    assertThat(on().backing().extentAt(data + 10))
        .isEqualTo(new Extent(data + 10, 2L * BLOCK_BYTES - 10, false));
  }

  @Test
  void aSparseStoreIsDiscardedByExtents() {
    long large = 64L << 30;
    on().backing().resize(large);
    on().write(40L << 30, pattern(BLOCK_BYTES, 5), 0);
    long before = on().backing().allocatedBytes();
    BlockRequest request =
        BackingFixture.request(io.loopgate.block.BlockOp.DISCARD, 0, large, 0, 0);
    int steps = 0;
    while (request.remainingBytes() > 0) {
      request.advance(on().backing().execute(request));
      steps++;
    }
    assertThat(steps).isLessThanOrEqualTo(3);
    assertThat(on().backing().allocatedBytes()).isLessThan(before);
    assertThat(on().read(40L << 30, BLOCK_BYTES)).containsOnly(0);
  }

  @Test
  void resizingGrowsAndShrinks() {
    Backing backing = on().backing();
    backing.resize(2L * SIZE_BYTES);
    assertThat(backing.geometry().sizeBytes()).isEqualTo(2L * SIZE_BYTES);
    assertThat(image).hasSize(2L * SIZE_BYTES);
    assertThat(on().read(SIZE_BYTES, BLOCK_BYTES)).containsOnly(0);
    assertThat(on().write(2L * SIZE_BYTES - BLOCK_BYTES, pattern(BLOCK_BYTES, 6), 0))
        .isEqualTo(BLOCK_BYTES);
    backing.resize(SIZE_BYTES);
    assertThat(backing.geometry().sizeBytes()).isEqualTo(SIZE_BYTES);
    assertThat(image).hasSize(SIZE_BYTES);
    assertThat(on().flush()).isZero();
    assertThatThrownBy(() -> backing.resize(SIZE_BYTES + 1))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("ask for a multiple of 4096");
    assertThatThrownBy(() -> backing.resize(0)).isInstanceOf(BackingException.class);
    assertThatThrownBy(() -> backing.resize(Long.MAX_VALUE - 4095))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("EFBIG");
    assertThat(backing.geometry().sizeBytes()).isEqualTo(SIZE_BYTES);
  }

  @Test
  void aReadBelowTheSizeOfAShrunkFileIsAnError() throws IOException {
    shrinkBeneath(SIZE_BYTES / 2);
    assertThat(on().readResult(SIZE_BYTES / 2, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().readResult(SIZE_BYTES / 2 - BLOCK_BYTES, 2 * BLOCK_BYTES))
        .as("the part that is there does not hide the part that is not")
        .isEqualTo(-Errno.TRUNCATED);
    assertThat(on().readResult(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void aShrunkFileIsNotGrownAgainOnceThatWasSeen() throws IOException {
    shrinkBeneath(SIZE_BYTES / 2);
    assertThat(on().flush()).isEqualTo(-Errno.TRUNCATED);
    byte[] bytes = pattern(BLOCK_BYTES, 7);
    assertThat(on().write(SIZE_BYTES - BLOCK_BYTES, bytes, 0)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().zero(SIZE_BYTES - BLOCK_BYTES, BLOCK_BYTES, 0)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().discard(SIZE_BYTES - BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    assertThat(image).hasSize(SIZE_BYTES / 2);
    assertThat(on().write(0, bytes, 0)).isEqualTo(BLOCK_BYTES);
    on().backing().resize(SIZE_BYTES);
    assertThat(on().write(SIZE_BYTES - BLOCK_BYTES, bytes, 0)).isEqualTo(BLOCK_BYTES);
    assertThat(on().flush()).isZero();
  }

  @Test
  void whatAShrunkFileLacksIsNoHole() throws IOException {
    shrinkBeneath(SIZE_BYTES / 2);
    assertThat(on().backing().extentAt(0).endBytes()).isLessThanOrEqualTo(SIZE_BYTES / 2);
    assertThat(on().backing().extentAt(SIZE_BYTES / 2))
        .isEqualTo(new Extent(SIZE_BYTES / 2, SIZE_BYTES / 2, false));
    assertThat(on().backing().extentAt(SIZE_BYTES - 1))
        .isEqualTo(new Extent(SIZE_BYTES - 1, 1, false));
  }

  @Test
  void aDiscardNoticesAShrunkFileByItself() throws IOException {
    shrinkBeneath(SIZE_BYTES / 2);
    assertThat(on().discard(SIZE_BYTES - BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().write(SIZE_BYTES - BLOCK_BYTES, pattern(BLOCK_BYTES, 8), 0))
        .isEqualTo(-Errno.TRUNCATED);
  }

  @Test
  void manyThreadsDoNotDisturbEachOther() throws InterruptedException {
    int threads = 8;
    int each = SIZE_BYTES / threads;
    Thread[] running = new Thread[threads];
    boolean[] right = new boolean[threads];
    for (int i = 0; i < threads; i++) {
      int index = i;
      Runnable task =
          () -> {
            boolean all = true;
            for (int round = 0; round < 10; round++) {
              byte[] bytes = pattern(BLOCK_BYTES, 100L * index + round);
              long offset = (long) index * each + (long) round * BLOCK_BYTES;
              all &= on().write(offset, bytes, 0) == BLOCK_BYTES;
              all &= java.util.Arrays.equals(on().read(offset, BLOCK_BYTES), bytes);
              all &= on().readResult(offset, BLOCK_BYTES) == BLOCK_BYTES;
            }
            right[index] = all;
          };
      // Both kinds: they keep the memory of a call in different ways.
      running[i] = i % 2 == 0 ? Thread.ofPlatform().start(task) : Thread.ofVirtual().start(task);
    }
    for (Thread thread : running) {
      assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }
    assertThat(right).containsOnly(true);
  }
}

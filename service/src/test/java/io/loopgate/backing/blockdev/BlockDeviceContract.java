package io.loopgate.backing.blockdev;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingException;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.StoredBackingContract;
import io.loopgate.block.Errno;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What block devices promise besides, buffered and direct, on a real loop device. */
abstract class BlockDeviceContract extends StoredBackingContract {
  private final boolean direct;
  private @Nullable LoopDevice loop;

  BlockDeviceContract(boolean direct) {
    this.direct = direct;
  }

  final LoopDevice loop() {
    LoopDevice attached = loop;
    if (attached == null) {
      throw new IllegalStateException("nothing attached");
    }
    return attached;
  }

  @Override
  protected Backing openFresh() throws Exception {
    loop = LoopDevice.attach(SIZE_BYTES);
    return openAgain(false);
  }

  @Override
  protected Backing openAgain(boolean readOnly) {
    return BlockDevices.open(loop().device(), new OpenOptions(readOnly, direct, BLOCK_BYTES));
  }

  @Override
  protected void removeStore() throws Exception {
    loop().close();
  }

  @Test
  void aDeviceIsAllData() {
    assertThat(on().backing().allocatedBytes()).isEqualTo(SIZE_BYTES);
    assertThat(on().backing().extentAt(4096).hole()).isFalse();
    assertThat(on().backing().capabilities().extents().available()).isFalse();
  }

  @Test
  void discardReachesTheDeviceAsAHole() throws Exception {
    assertThat(on().write(0, pattern(1 << 20, 1), 0)).isEqualTo(1 << 20);
    assertThat(on().flush()).isZero();
    assertThat(allocatedBelow()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(on().discard(0, 1 << 20)).isEqualTo(1 << 20);
    assertThat(on().flush()).isZero();
    assertThat(allocatedBelow()).isLessThan(1 << 20);
    assertThat(on().backing().capabilities().punchHole().reason())
        .isEqualTo("the device zeroes by itself");
  }

  private long allocatedBelow() throws Exception {
    String blocks = LoopDevice.run(List.of("stat", "--format=%b", loop().image().toString()));
    return Long.parseLong(blocks.strip()) * 512;
  }

  @Test
  void theSizeIsTheDevices() throws Exception {
    Backing backing = on().backing();
    assertThatThrownBy(() -> backing.resize(2L * SIZE_BYTES))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("the device has " + SIZE_BYTES);
    try (FileChannel channel = FileChannel.open(loop().image(), StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.allocate(1), 2L * SIZE_BYTES - 1);
    }
    LoopDevice.run(List.of("losetup", "--set-capacity", loop().device().toString()));
    backing.resize(2L * SIZE_BYTES);
    assertThat(backing.geometry().sizeBytes()).isEqualTo(2L * SIZE_BYTES);
    assertThat(on().read(2L * SIZE_BYTES - BLOCK_BYTES, BLOCK_BYTES)).containsOnly(0);
  }

  @Test
  void aShrunkDeviceIsTruncated() throws Exception {
    try (FileChannel channel = FileChannel.open(loop().image(), StandardOpenOption.WRITE)) {
      channel.truncate(SIZE_BYTES / 2);
    }
    LoopDevice.run(List.of("losetup", "--set-capacity", loop().device().toString()));
    assertThat(on().readResult(SIZE_BYTES / 2, BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().write(SIZE_BYTES / 2, pattern(BLOCK_BYTES, 2), 0)).isEqualTo(-Errno.TRUNCATED);
    assertThat(on().readResult(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void aDeviceThatTakesNoWritesIsOpenedForReadingOnly() throws Exception {
    try (LoopDevice fixed = LoopDevice.attach(SIZE_BYTES, "--read-only")) {
      assertThatThrownBy(
              () -> BlockDevices.open(fixed.device(), new OpenOptions(false, direct, 512)))
          .isInstanceOf(BackingException.class)
          .hasMessageContaining("can be read but not written")
          .hasMessageContaining("add `readonly`");
      BlockDevices.open(fixed.device(), new OpenOptions(true, direct, 512)).close();
    }
  }

  @Test
  void sizesThatDoNotFitAndFilesAreRefused() {
    on().close();
    assertThatThrownBy(
            () -> BlockDevices.open(loop().device(), new OpenOptions(false, direct, 3 << 20)))
        .isInstanceOf(BackingException.class)
        .hasMessageContaining("not a multiple of the block size of 3145728")
        .hasMessageContaining("set `blockSize` to 512");
    assertThatThrownBy(() -> BlockDevices.open(loop().image(), new OpenOptions(false, direct, 512)))
        .isInstanceOf(BackingException.class);
    assertThat(Files.exists(loop().image())).isTrue();
  }
}

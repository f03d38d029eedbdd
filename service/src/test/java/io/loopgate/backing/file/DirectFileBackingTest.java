package io.loopgate.backing.file;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.Support;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

/** A file past the page cache. */
class DirectFileBackingTest extends FileBackingContract {
  DirectFileBackingTest() {
    super(true);
  }

  @Test
  void theShapeSaysHowToAlign() {
    Geometry geometry = on().backing().geometry();
    assertThat(geometry.alignmentBytes()).isGreaterThanOrEqualTo(512);
    assertThat(geometry.memoryAlignmentBytes()).isGreaterThanOrEqualTo(512);
    assertThat(on().backing().capabilities().direct().available()).isTrue();
    assertThat(on().backing().capabilities().direct().reason()).contains("direct I/O in units of");
  }

  @Test
  void misalignedTransfersAreRefusedAndNotBuffered() {
    try (AlignedMemory memory = AlignedMemory.allocate(4096, 8192)) {
      assertThat(
              on().backing()
                  .execute(BackingFixture.request(BlockOp.READ, 1, 4096, memory.address(), 0)))
          .isEqualTo(-Errno.EINVAL);
      assertThat(
              on().backing()
                  .execute(BackingFixture.request(BlockOp.WRITE, 0, 4096, memory.address() + 8, 0)))
          .isEqualTo(-Errno.EINVAL);
    }
  }

  @Test
  void anOddEndOfAShrunkFileIsATruncation() throws IOException {
    try (FileChannel channel = FileChannel.open(image(), StandardOpenOption.WRITE)) {
      channel.truncate(BLOCK_BYTES + 100);
    }
    assertThat(on().readResult(0, 2 * BLOCK_BYTES)).isEqualTo(-Errno.TRUNCATED);
  }

  @Test
  void directTransfersAreNeverTriedInLineSinceTheyWait() {
    assertThat(on().tryRead(0, BLOCK_BYTES)).isEqualTo(-Errno.EOPNOTSUPP);
    assertThat(on().tryWrite(0, new byte[BLOCK_BYTES], 0)).isEqualTo(-Errno.EOPNOTSUPP);
  }

  @Test
  void ext4TakesNowaitOnDirectTransfers() {
    BackingCapabilities found = on().backing().capabilities();
    assumeThat(found.nowaitRead().reason()).startsWith("ext4");
    assertThat(found.nowaitRead()).isEqualTo(Support.yes("ext4 takes RWF_NOWAIT on direct reads"));
    assertThat(found.nowaitWrite())
        .isEqualTo(Support.yes("ext4 takes RWF_NOWAIT on direct writes"));
  }

  @Test
  void aDurableDirectWriteIsThere() {
    byte[] bytes = pattern(BLOCK_BYTES, 1);
    assertThat(on().write(0, bytes, BlockRequest.FUA)).isEqualTo(BLOCK_BYTES);
    assertThat(on().read(0, BLOCK_BYTES)).isEqualTo(bytes);
  }
}

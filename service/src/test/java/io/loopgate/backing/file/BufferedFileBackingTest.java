package io.loopgate.backing.file;

import static io.loopgate.backing.BackingFixture.pattern;
import static io.loopgate.sys.LinuxConstants.POSIX_FADV_DONTNEED;
import static io.loopgate.sys.LinuxConstants.POSIX_FADV_RANDOM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.sys.SystemCalls;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A file through the page cache. */
class BufferedFileBackingTest extends FileBackingContract {
  BufferedFileBackingTest() {
    super(false);
  }

  @Test
  void bytesNeedNoAlignment() {
    byte[] bytes = pattern(1001, 1);
    assertThat(on().write(777, bytes, 0)).isEqualTo(bytes.length);
    assertThat(on().read(777, bytes.length)).isEqualTo(bytes);
    assertThat(on().backing().geometry().memoryAlignmentBytes()).isEqualTo(1);
  }

  @Test
  void aColdReadIsNotDoneNowAndACachedOneIs() {
    BackingCapabilities found = on().backing().capabilities();
    assumeThat(found.nowaitRead().available()).as(found.nowaitRead().reason()).isTrue();
    int fd = ((DescriptorBacking) on().backing()).fd();
    assertThat(on().write(0, pattern(1 << 20, 2), 0)).isEqualTo(1 << 20);
    assertThat(on().tryRead(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);

    assertThat(on().flush()).isZero();
    SystemCalls.instance().fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
    assertThat(SystemCalls.instance().fadvise(fd, 0, 0, POSIX_FADV_DONTNEED)).isZero();
    assertThat(on().tryRead(0, BLOCK_BYTES)).isEqualTo(-Errno.EAGAIN);
    assertThat(on().read(0, BLOCK_BYTES))
        .isEqualTo(Arrays.copyOf(pattern(1 << 20, 2), BLOCK_BYTES));
    assertThat(on().tryRead(0, BLOCK_BYTES)).isEqualTo(BLOCK_BYTES);
  }

  @Test
  void theEndOfAShrunkFileIsAMissForATry() throws Exception {
    assumeThat(on().backing().capabilities().nowaitRead().available()).isTrue();
    try (var channel =
        java.nio.channels.FileChannel.open(image(), java.nio.file.StandardOpenOption.WRITE)) {
      channel.truncate(BLOCK_BYTES);
    }
    assertThat(on().tryRead(2L * BLOCK_BYTES, BLOCK_BYTES)).isEqualTo(-Errno.EAGAIN);
  }

  @Test
  void ext4RefusesBufferedNowaitWritesAndTheProbeKnows() {
    BackingCapabilities found = on().backing().capabilities();
    assumeThat(found.nowaitRead().reason()).startsWith("ext4");
    assertThat(found.nowaitRead().available()).isTrue();
    assertThat(found.nowaitWrite().available()).isFalse();
    assertThat(found.nowaitWrite().reason())
        .isEqualTo("ext4 refuses RWF_NOWAIT on buffered writes: EOPNOTSUPP");
    assertThat(found.punchHole().available()).isTrue();
    assertThat(found.zeroRange().available()).isTrue();
    assertThat(found.dsync().available()).isTrue();
    assertThat(found.extents().available()).isTrue();
    assertThat(found.direct().available()).isFalse();
    assertThat(on().tryWrite(0, pattern(1, 1), BlockRequest.FUA)).isEqualTo(-Errno.EOPNOTSUPP);
  }
}

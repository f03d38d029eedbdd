package io.loopgate.volume;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.Extent;
import io.loopgate.block.BlockOp;
import io.loopgate.block.Errno;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checksums and extents of a volume with data and holes. */
class RangeChecksumTest {
  private static final int SIZE_BYTES = 4 << 20;
  private static final int DATA_BYTES = (1 << 20) + 4096 * 3;
  private static final int SECOND_BYTES = 3 << 20;

  private final List<VolumeFixture> open = new ArrayList<>();
  private final byte[] model = new byte[SIZE_BYTES];

  private VolumeFixture volume(boolean direct) {
    VolumeFixture on =
        new VolumeFixture(1, SIZE_BYTES, VolumeFixture.settings("workers:1", direct, 512));
    open.add(on);
    for (int start : new int[] {0, SECOND_BYTES}) {
      byte[] bytes = pattern(start == 0 ? DATA_BYTES : 4096, start);
      assertThat(VolumeFixture.get(on.write(0, start, bytes))).isEqualTo(bytes.length);
      System.arraycopy(bytes, 0, model, start, bytes.length);
    }
    return on;
  }

  @AfterEach
  void close() {
    open.forEach(VolumeFixture::close);
  }

  private static byte[] compute(
      VolumeFixture on, ChecksumAlgorithm algorithm, long start, long length, long blockSize) {
    return new RangeChecksum(on.volume(), algorithm, () -> false).compute(start, length, blockSize);
  }

  private static byte[] plain(ChecksumAlgorithm algorithm, byte[] bytes) {
    if (algorithm == ChecksumAlgorithm.CRC32C) {
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    }
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private byte[] part(long start, long length) {
    return Arrays.copyOfRange(model, (int) start, (int) (start + length));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isThePlainDigestOfTheBytes(boolean direct) {
    VolumeFixture on = volume(direct);
    long[][] ranges = {
      {0, SIZE_BYTES},
      {0, 0},
      {1, 1},
      {511, 4097},
      {DATA_BYTES - 5, 100_000},
      {2 << 20, 4096},
      {SECOND_BYTES - 1, 5_000},
      {SIZE_BYTES - 1, 1}
    };
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      for (long[] range : ranges) {
        assertThat(compute(on, algorithm, range[0], range[1], 0))
            .as("%s at %s length %s", algorithm, range[0], range[1])
            .isEqualTo(plain(algorithm, part(range[0], range[1])));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withABlockSizeItIsTheDigestOfDigests(boolean direct) {
    VolumeFixture on = volume(direct);
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      for (long blockSize : new long[] {4096, 65_536, 100_000, 3 << 19, 1L << 40}) {
        for (long[] range : new long[][] {{0, SIZE_BYTES}, {777, SIZE_BYTES - 1_000}}) {
          ByteBuffer joined = ByteBuffer.allocate(64 << 10);
          for (long at = 0; at < range[1]; at += blockSize) {
            long length = Math.min(blockSize, range[1] - at);
            joined.put(plain(algorithm, part(range[0] + at, length)));
          }
          byte[] expected = plain(algorithm, Arrays.copyOf(joined.array(), joined.position()));
          assertThat(compute(on, algorithm, range[0], range[1], blockSize))
              .as("%s in blocks of %s", algorithm, blockSize)
              .isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void holesAreNotRead() {
    VolumeFixture on = volume(false);
    assertThat(on.volume().backing().extentAt(2 << 20).hole()).isTrue();
    on.backing().failAt(BlockOp.READ, (2 << 20) + 5, Errno.EIO);
    assertThat(compute(on, ChecksumAlgorithm.SHA_256, 0, SIZE_BYTES, 4096)).hasSize(32);
  }

  @Test
  void aFailedReadSaysWhere() {
    VolumeFixture on = volume(false);
    on.backing().failAt(BlockOp.READ, 4096, Errno.EIO);
    assertThatThrownBy(() -> compute(on, ChecksumAlgorithm.CRC32C, 0, SIZE_BYTES, 4096))
        .isInstanceOfSatisfying(
            RangeChecksum.ChecksumReadException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.EIO);
              assertThat(e.offsetBytes()).isEqualTo(4096);
            });
  }

  @Test
  void endsEarlyWhenNobodyWants() {
    VolumeFixture on = volume(false);
    AtomicInteger asked = new AtomicInteger();
    long before = on.backing().executed();
    new RangeChecksum(on.volume(), ChecksumAlgorithm.SHA_256, () -> asked.incrementAndGet() > 3)
        .compute(0, SIZE_BYTES, 4096);
    assertThat(on.backing().executed() - before).isLessThan(5);
  }

  @Test
  void algorithmsHaveTheirNames() {
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      assertThat(ChecksumAlgorithm.of(algorithm.label())).contains(algorithm);
    }
    assertThat(ChecksumAlgorithm.of("md5")).isEmpty();
  }

  @Test
  void pagesOfExtentsJoinWithoutGaps() {
    VolumeFixture on = volume(false);
    List<Extent> all = new ArrayList<>();
    long position = 100;
    long end = SIZE_BYTES - 100;
    while (position < end) {
      ExtentPage page = ExtentPage.read(on.volume().backing(), position, end, 1);
      assertThat(page.extents()).hasSize(1);
      assertThat(page.extents().getFirst().startBytes()).isEqualTo(position);
      assertThat(page.nextBytes()).isEqualTo(page.extents().getFirst().endBytes());
      all.addAll(page.extents());
      position = page.nextBytes();
    }
    assertThat(position).isEqualTo(end);
    assertThat(all).extracting(Extent::hole).containsExactly(false, true, false, true);
    assertThat(ExtentPage.read(on.volume().backing(), 100, end, 100).extents())
        .containsExactlyElementsOf(all);
    assertThat(ExtentPage.read(on.volume().backing(), 100, 100, 10).extents()).isEmpty();
  }
}

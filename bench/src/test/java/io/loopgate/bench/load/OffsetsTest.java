package io.loopgate.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.shape.Access;
import io.loopgate.bench.shape.Cache;
import io.loopgate.bench.shape.Rw;
import io.loopgate.block.BlockOp;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OffsetsTest {
  private static final int BLOCK = 4096;
  private static final int COMMANDS = 20_000;

  private static Access access(Rw rw, int jobs) {
    return Access.of(rw, BLOCK, 1, jobs, false, Cache.HOT);
  }

  @Test
  void sequentialCommandsFollowEachOtherAndBeginAgainAtTheEnd() {
    Offsets offsets = new Offsets(access(Rw.READ, 1), 3 * BLOCK, 0, 1);
    long[] seen = new long[5];
    for (int i = 0; i < seen.length; i++) {
      offsets.next();
      seen[i] = offsets.offsetBytes() / BLOCK;
      assertThat(offsets.op()).isEqualTo(BlockOp.READ);
      assertThat(offsets.lengthBytes()).isEqualTo(BLOCK);
    }
    assertThat(seen).containsExactly(0, 1, 2, 0, 1);
  }

  @Test
  void readsAndWritesInSequenceHavePositionsOfTheirOwn() {
    Offsets offsets = new Offsets(access(Rw.RW, 1), 1000L * BLOCK, 0, 1);
    long nextRead = 0;
    long nextWrite = 0;
    for (int i = 0; i < 100; i++) {
      offsets.next();
      if (offsets.op() == BlockOp.READ) {
        assertThat(offsets.offsetBytes()).isEqualTo(nextRead++ * BLOCK);
      } else {
        assertThat(offsets.offsetBytes()).isEqualTo(nextWrite++ * BLOCK);
      }
    }
    assertThat(nextRead).isPositive();
    assertThat(nextWrite).isPositive();
  }

  @Test
  void aMixIsAboutHalfReads() {
    Offsets offsets = new Offsets(access(Rw.RANDRW, 1), 1000L * BLOCK, 0, 7);
    int reads = 0;
    for (int i = 0; i < COMMANDS; i++) {
      offsets.next();
      reads += offsets.op() == BlockOp.READ ? 1 : 0;
    }
    assertThat(reads).isBetween(COMMANDS * 45 / 100, COMMANDS * 55 / 100);
  }

  @Test
  void randomCommandsReachEveryBlockAndNothingElse() {
    Offsets offsets = new Offsets(access(Rw.RANDWRITE, 1), 16L * BLOCK, 0, 3);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < COMMANDS; i++) {
      offsets.next();
      seen.add(offsets.offsetBytes() / BLOCK);
      assertThat(offsets.op()).isEqualTo(BlockOp.WRITE);
    }
    assertThat(seen).hasSize(16).allMatch(block -> block >= 0 && block < 16);
  }

  @Test
  void jobsThatAreApartStayInTheirParts() {
    long part = 8L * BLOCK;
    for (int job = 0; job < 4; job++) {
      Offsets offsets = new Offsets(access(Rw.RANDREAD, 4).apart(), 4 * part + 100, job, 5);
      for (int i = 0; i < 1000; i++) {
        offsets.next();
        assertThat(offsets.offsetBytes()).isBetween(job * part, (job + 1) * part - BLOCK);
      }
    }
  }

  @Test
  void lengthsVaryInWholeBlocksAndEndInsideTheVolume() {
    Access access = new Access(Rw.RANDREAD, BLOCK, 8 * BLOCK, 1, 1, false, Cache.HOT, false);
    long size = 20L * BLOCK;
    Offsets offsets = new Offsets(access, size, 0, 9);
    Set<Long> lengths = new HashSet<>();
    for (int i = 0; i < COMMANDS; i++) {
      offsets.next();
      lengths.add(offsets.lengthBytes() / BLOCK);
      assertThat(offsets.offsetBytes() % BLOCK).isZero();
      assertThat(offsets.offsetBytes() + offsets.lengthBytes()).isLessThanOrEqualTo(size);
    }
    assertThat(lengths).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
  }

  @Test
  void jobsAndRoundsDoNotReadTheSameBlocks() {
    assertThat(firstOffsets(0, 1))
        .isNotEqualTo(firstOffsets(1, 1))
        .isNotEqualTo(firstOffsets(0, 2));
    assertThat(firstOffsets(0, 1)).isEqualTo(firstOffsets(0, 1));
  }

  private static long[] firstOffsets(int job, long seed) {
    Offsets offsets = new Offsets(access(Rw.RANDREAD, 2), 100_000L * BLOCK, job, seed);
    long[] seen = new long[10];
    for (int i = 0; i < seen.length; i++) {
      offsets.next();
      seen[i] = offsets.offsetBytes();
    }
    return seen;
  }

  @Test
  void aVolumeThatIsTooSmallIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Offsets(access(Rw.READ, 4).apart(), 3 * BLOCK, 0, 1))
        .withMessageContaining("too small");
  }
}

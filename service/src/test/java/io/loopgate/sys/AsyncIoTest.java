package io.loopgate.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.loopgate.backing.BackingFixture;
import io.loopgate.block.Errno;
import io.loopgate.engine.Await;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native asynchronous I/O of this machine's kernel answers as io_submit(2) says. */
class AsyncIoTest {
  private static final int BLOCK = 4096;
  private static final int SLOTS = 8;
  private static final int PARTS = 4;

  private final SystemCalls calls = SystemCalls.instance();
  private final Path path = BackingFixture.directory().resolve("file.bin");
  private final AlignedMemory memory = AlignedMemory.allocate(BLOCK, SLOTS * BLOCK);
  private final int[] slots = new int[SLOTS];
  private final long[] results = new long[SLOTS];
  private int fd;

  @BeforeEach
  void open() {
    int flags =
        LinuxConstants.O_RDWR
            | LinuxConstants.O_CREAT
            | LinuxConstants.O_EXCL
            | LinuxConstants.O_DIRECT;
    fd = (int) calls.open(path.toString(), flags, 0600);
    assertThat(fd).isNotNegative();
    assertThat(calls.ftruncate(fd, 1 << 20)).isZero();
  }

  @AfterEach
  void close() throws Exception {
    assertThat(calls.close(fd)).isZero();
    memory.close();
    Files.delete(path);
  }

  private void fill(byte... ofBlocks) {
    for (int i = 0; i < ofBlocks.length; i++) {
      memory.segment().asSlice((long) i * BLOCK, BLOCK).fill(ofBlocks[i]);
    }
  }

  private byte[] block(int number) {
    return memory.segment().asSlice((long) number * BLOCK, BLOCK).toArray(ValueLayout.JAVA_BYTE);
  }

  private long address(int block) {
    return memory.address() + (long) block * BLOCK;
  }

  /** Hands one slot over and returns its result. */
  private long run(AsyncIo io, int slot) {
    assertThat(io.submit(new int[] {slot}, 0, 1)).isEqualTo(1);
    Await.until("one ended", () -> io.reap(slots, results) == 1);
    assertThat(slots[0]).isEqualTo(slot);
    return results[0];
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bytesGoOutAndComeBack(boolean useRing) {
    try (AsyncIo io = LinuxAsyncIo.open(SLOTS, PARTS, EventFd.none(), useRing)) {
      assertThat(io.reapsInUserSpace()).isEqualTo(useRing);
      assertThat(io.reap(slots, results)).isZero();
      fill((byte) 7);
      io.fill(3, true, fd, address(0), BLOCK, 2 * BLOCK, LinuxConstants.RWF_DSYNC);
      assertThat(run(io, 3)).isEqualTo(BLOCK);
      fill((byte) 0);
      io.fill(5, false, fd, address(0), BLOCK, 2 * BLOCK, 0);
      assertThat(run(io, 5)).isEqualTo(BLOCK);
      assertThat(block(0)).containsOnly(7);
    }
  }

  @Test
  void theRingGoesRoundAndRound() {
    try (AsyncIo io = AsyncIo.open(SLOTS, 1, EventFd.none())) {
      int ended = 0;
      int[] all = {0, 1, 2, 3, 4, 5, 6, 7};
      for (int round = 0; round < 500; round++) {
        for (int slot : all) {
          io.fill(slot, false, fd, address(slot), BLOCK, (long) slot * BLOCK, 0);
        }
        assertThat(io.submit(all, 0, SLOTS)).isEqualTo(SLOTS);
        boolean[] seen = new boolean[SLOTS];
        int[] left = {SLOTS};
        Await.until(
            "all ended",
            () -> {
              int count = io.reap(slots, results);
              for (int i = 0; i < count; i++) {
                assertThat(results[i]).isEqualTo(BLOCK);
                assertThat(seen[slots[i]]).isFalse();
                seen[slots[i]] = true;
              }
              left[0] -= count;
              return left[0] == 0;
            });
        ended += SLOTS;
      }
      assertThat(ended).isEqualTo(500 * SLOTS);
    }
  }

  @Test
  void partsLieOneAfterAnotherInTheFile() throws Exception {
    try (AsyncIo io = AsyncIo.open(SLOTS, PARTS, EventFd.none())) {
      fill((byte) 1, (byte) 2, (byte) 3);
      io.part(1, 0, address(2), BLOCK);
      io.part(1, 1, address(0), BLOCK);
      io.part(1, 2, address(1), BLOCK);
      io.fillParts(1, true, fd, 3, BLOCK, 0);
      assertThat(run(io, 1)).isEqualTo(3 * BLOCK);
      byte[] expected = new byte[1 << 20];
      Arrays.fill(expected, BLOCK, 2 * BLOCK, (byte) 3);
      Arrays.fill(expected, 2 * BLOCK, 3 * BLOCK, (byte) 1);
      Arrays.fill(expected, 3 * BLOCK, 4 * BLOCK, (byte) 2);
      assertThat(Files.readAllBytes(path)).isEqualTo(expected);
      io.part(2, 0, address(4), BLOCK);
      io.part(2, 1, address(5), BLOCK);
      io.fillParts(2, false, fd, 2, 2 * BLOCK, 0);
      assertThat(run(io, 2)).isEqualTo(2 * BLOCK);
      assertThat(block(4)).containsOnly(1);
      assertThat(block(5)).containsOnly(2);
    }
  }

  @Test
  void whatWouldWaitSaysSo() {
    try (AsyncIo io = AsyncIo.open(SLOTS, 1, EventFd.none())) {
      io.fill(0, true, fd, address(0), BLOCK, 0, LinuxConstants.RWF_NOWAIT);
      assertThat(run(io, 0)).as("a hole has to be allocated").isEqualTo(-Errno.EAGAIN);
      io.fill(0, true, fd, address(0), BLOCK, 0, 0);
      assertThat(run(io, 0)).isEqualTo(BLOCK);
      io.fill(0, true, fd, address(0), BLOCK, 0, LinuxConstants.RWF_NOWAIT);
      assertThat(run(io, 0)).as("written blocks").isEqualTo(BLOCK);
    }
  }

  @Test
  void theFirstRefusedOneNamesTheError() {
    try (AsyncIo io = AsyncIo.open(SLOTS, 1, EventFd.none())) {
      io.fill(0, false, fd, address(0), BLOCK, 0, 0);
      io.fill(1, false, -1, address(1), BLOCK, 0, 0);
      io.fill(2, false, fd, address(2), BLOCK, 0, 1 << 30);
      int[] both = {0, 1, 2};
      assertThat(io.submit(both, 0, 3)).as("up to the refused one").isEqualTo(1);
      assertThat(io.submit(both, 1, 2)).isEqualTo(-Errno.EBADF);
      assertThat(io.submit(both, 2, 1)).as("an unknown flag").isEqualTo(-Errno.EOPNOTSUPP);
      Await.until("the good one ended", () -> io.reap(slots, results) == 1);
    }
  }

  @Test
  void everyEndIsSignalled() {
    try (EventFd signal = EventFd.create();
        AsyncIo io = AsyncIo.open(SLOTS, 1, signal)) {
      for (int slot = 0; slot < SLOTS; slot++) {
        io.fill(slot, false, fd, address(slot), BLOCK, 0, 0);
        assertThat(io.submit(new int[] {slot}, 0, 1)).isEqualTo(1);
        assertThat(signal.await()).isTrue();
        assertThat(io.reap(slots, results)).isEqualTo(1);
      }
      signal.signal();
      signal.signal();
      assertThat(signal.await()).as("takes all at once").isTrue();
    }
  }

  @Test
  void aRefusalTellsItsNumber() {
    assertThatThrownBy(() -> AsyncIo.open(0, 1, EventFd.none()))
        .isInstanceOfSatisfying(
            SystemCallException.class,
            refused -> {
              assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
              assertThat(refused).hasMessage("io_setup: EINVAL");
            });
  }

  @Test
  void noneIsNoEventFd() {
    EventFd none = EventFd.none();
    assertThat(none.exists()).isFalse();
    assertThat(none.fd()).isEqualTo(-1);
    none.signal();
    none.close();
  }
}

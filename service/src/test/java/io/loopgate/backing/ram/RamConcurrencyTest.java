package io.loopgate.backing.ram;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.OpenOptions;
import io.loopgate.sys.SystemCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many threads on one RAM disk, without a lock between them. */
class RamConcurrencyTest {
  private static final int CHUNK_BYTES = ChunkTable.CHUNK_BYTES;
  private static final int PIECE_BYTES = 4096;
  private static final int THREADS = 4;

  private final AtomicInteger wrong = new AtomicInteger();
  private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();

  private static BackingFixture open(long sizeBytes) {
    OpenOptions options = new OpenOptions(false, DirectIo.AUTO, 512);
    return new BackingFixture(
        RamBacking.open(sizeBytes, options, new RamQuota(1L << 40), SystemCalls.instance()));
  }

  private interface Work {
    void run(int thread) throws Exception;
  }

  private void together(int threads, Work work) throws InterruptedException {
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int thread = i;
      Runnable task =
          () -> {
            try {
              work.run(thread);
            } catch (Exception | AssertionError e) {
              thrown.add(e);
            }
          };
      running.add(Thread.ofPlatform().start(task));
    }
    for (Thread thread : running) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(thrown).isEmpty();
    assertThat(wrong).hasValue(0);
  }

  @Test
  void firstWritesIntoTheSameChunkLoseNothing() throws Exception {
    int rounds = 200;
    try (BackingFixture ram = open((long) rounds * CHUNK_BYTES)) {
      CyclicBarrier barrier = new CyclicBarrier(THREADS);
      together(
          THREADS,
          thread -> {
            for (int round = 0; round < rounds; round++) {
              byte[] bytes = pattern(PIECE_BYTES, 100L * round + thread);
              long offset = (long) round * CHUNK_BYTES + (long) thread * PIECE_BYTES;
              barrier.await();
              ram.write(offset, bytes, 0);
              barrier.await();
              if (!Arrays.equals(ram.read(offset, PIECE_BYTES), bytes)) {
                wrong.incrementAndGet();
              }
            }
          });
      assertThat(ram.backing().allocatedBytes()).isEqualTo((long) rounds * CHUNK_BYTES);
    }
  }

  @Test
  void growingLosesNoWriteAndNoChunk() throws Exception {
    long smallBytes = 8L * CHUNK_BYTES;
    try (BackingFixture ram = open(smallBytes)) {
      together(
          THREADS,
          thread -> {
            if (thread == 0) {
              for (int i = 1; i <= 40; i++) {
                ram.backing().resize(smallBytes + ((long) i << 27) + 512);
              }
              return;
            }
            for (int round = 0; round < 400; round++) {
              byte[] bytes = pattern(PIECE_BYTES, 100L * round + thread);
              long offset = (long) (round % 8) * CHUNK_BYTES + (long) thread * PIECE_BYTES;
              ram.write(offset, bytes, 0);
              if (!Arrays.equals(ram.read(offset, PIECE_BYTES), bytes)) {
                wrong.incrementAndGet();
              }
              if (round % 8 == 7) {
                ram.discard((long) THREADS * PIECE_BYTES, CHUNK_BYTES / 2);
              }
            }
          });
    }
  }

  @Test
  void readersOfAChunkThatGoesSeeItsBytesOrZeroes() throws Exception {
    byte[] full = new byte[CHUNK_BYTES];
    Arrays.fill(full, (byte) 0x5A);
    try (BackingFixture ram = open(CHUNK_BYTES)) {
      AtomicInteger rounds = new AtomicInteger(300);
      together(
          THREADS,
          thread -> {
            while (rounds.get() > 0) {
              if (thread == 0) {
                rounds.decrementAndGet();
                ram.write(0, full, 0);
                ram.discard(0, CHUNK_BYTES);
              } else {
                for (byte read : ram.read(0, CHUNK_BYTES)) {
                  if (read != 0 && read != 0x5A) {
                    wrong.incrementAndGet();
                  }
                }
              }
            }
          });
      assertThat(ram.read(0, CHUNK_BYTES)).containsOnly(0);
    }
  }

  @Test
  void whatIsCalledAHoleAfterARaceHoldsNothing() throws Exception {
    byte[] full = new byte[CHUNK_BYTES];
    Arrays.fill(full, (byte) 0x5A);
    try (BackingFixture ram = open(CHUNK_BYTES)) {
      CyclicBarrier barrier = new CyclicBarrier(2);
      together(
          2,
          thread -> {
            for (int round = 0; round < 1000; round++) {
              barrier.await();
              if (thread == 0) {
                ram.write(0, round % 2 == 0 ? full : Arrays.copyOf(full, PIECE_BYTES), 0);
              } else {
                ram.discard(0, CHUNK_BYTES);
              }
              barrier.await();
              if (thread == 0 && ram.backing().extentAt(0).hole()) {
                // The chunk is looked at again from here on, all of it.
                ram.write(0, new byte[1], 0);
                for (byte read : ram.read(0, CHUNK_BYTES)) {
                  if (read != 0) {
                    wrong.incrementAndGet();
                  }
                }
              }
            }
          });
    }
  }
}

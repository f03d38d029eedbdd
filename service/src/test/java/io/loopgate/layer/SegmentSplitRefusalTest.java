package io.loopgate.layer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.loopgate.backing.SegmentMap;
import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.LoopEngine;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A split over engines that take, refuse and end parts as told, all on this thread. */
class SegmentSplitRefusalTest {
  private static final long[] STARTS = {0, 100, 300};
  private static final int CAPACITY = 4;

  private final CompletionSink home = new CompletionQueue(0, Runnable::run);
  private final List<Below> below = List.of(new Below(), new Below(), new Below());
  private final SegmentSplit split =
      new SegmentSplit(List.copyOf(below), new SegmentMap(STARTS), CAPACITY);
  private final List<Long> results = new ArrayList<>();
  private long doneBytes;

  /** An engine that keeps what it is given until told. */
  private static final class Below implements LoopEngine {
    private final ArrayDeque<BlockRequest> given = new ArrayDeque<>();
    private boolean full;
    private boolean atOnce;
    private boolean closed;

    @Override
    public boolean submit(BlockRequest request) {
      if (full || closed) {
        return false;
      }
      if (atOnce) {
        end(request);
      } else {
        given.add(request);
      }
      return true;
    }

    private static void end(BlockRequest request) {
      if (request.remainingBytes() > 0) {
        request.advance(request.remainingBytes());
      }
      request.completeHere(request.lengthBytes());
    }

    void succeed() {
      end(given.remove());
    }

    void fail(int errno) {
      given.remove().completeHere(-errno);
    }

    @Override
    public int inFlight() {
      return given.size();
    }

    @Override
    public boolean drain(Duration timeout) {
      return given.isEmpty();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private BlockRequest request(BlockOp op, long offsetBytes, long lengthBytes) {
    return new BlockRequest(home)
        .prepare(
            op,
            offsetBytes,
            lengthBytes,
            1 << 20,
            0,
            BlockRequest.NO_DEADLINE,
            (ended, result) -> {
              results.add(result);
              doneBytes = ended.doneBytes();
            });
  }

  private BlockRequest across() {
    return request(BlockOp.READ, 50, 400);
  }

  @BeforeEach
  void nothingIsInFlight() {
    assertThat(split.inFlight()).isZero();
  }

  @Test
  void partsAreShiftedIntoTheirSegments() {
    assertThat(split.submit(across())).isTrue();
    assertThat(split.inFlight()).isEqualTo(3);
    assertThat(split.drain(Duration.ZERO)).isFalse();
    long[][] expected = {{50, 50, 0}, {0, 200, 50}, {0, 150, 250}};
    for (int i = 0; i < expected.length; i++) {
      BlockRequest part = below.get(i).given.element();
      assertThat(
              new long[] {
                part.offsetBytes(), part.lengthBytes(), part.remainingAddress() - (1 << 20)
              })
          .isEqualTo(expected[i]);
    }
    below.get(1).succeed();
    below.get(0).succeed();
    assertThat(results).isEmpty();
    below.get(2).succeed();
    assertThat(results).containsExactly(400L);
    assertThat(doneBytes).isEqualTo(400);
    assertThat(split.drain(Duration.ZERO)).isTrue();
  }

  @Test
  void whatWasDoneBeforeIsNotDoneAgain() {
    BlockRequest half = across();
    half.advance(60);
    assertThat(split.submit(half)).isTrue();
    assertThat(below.get(0).given).isEmpty();
    BlockRequest part = below.get(1).given.element();
    assertThat(part.offsetBytes()).isEqualTo(10);
    assertThat(part.remainingAddress()).isEqualTo((1 << 20) + 60);
    below.get(2).succeed();
    below.get(1).fail(Errno.EIO);
    assertThat(results).containsExactly((long) -Errno.EIO);
    assertThat(doneBytes).isEqualTo(60);
  }

  @Test
  void aCommandWhoseFirstPartIsRefusedIsRefused() {
    below.get(0).full = true;
    BlockRequest refused = across();
    for (int i = 0; i < 2 * CAPACITY; i++) {
      assertThat(split.submit(refused)).isFalse();
    }
    assertThat(split.inFlight()).isZero();
    assertThat(results).isEmpty();
    below.get(0).full = false;
    assertThat(split.submit(refused)).isTrue();
    below.forEach(Below::succeed);
    assertThat(results).containsExactly(400L);
  }

  @Test
  void aLaterPartThatIsRefusedEndsTheCommandWhenTheOthersHave() {
    below.get(1).full = true;
    assertThat(split.submit(across())).isTrue();
    assertThat(below.get(2).given).as("what lies behind is not begun").isEmpty();
    assertThat(results).isEmpty();
    below.get(0).succeed();
    assertThat(results).containsExactly((long) -Errno.OVERLOADED);
    assertThat(doneBytes).isEqualTo(50);
  }

  @Test
  void aPartThatEndsInsideSubmitDoesNotEndTheCommandEarly() {
    below.get(0).atOnce = true;
    below.get(1).full = true;
    assertThat(split.submit(across())).isTrue();
    assertThat(results).containsExactly((long) -Errno.OVERLOADED);
    below.get(1).full = false;
    below.get(1).atOnce = true;
    assertThat(split.submit(across())).isTrue();
    assertThat(results).hasSize(1);
    below.get(2).succeed();
    assertThat(results).containsExactly((long) -Errno.OVERLOADED, 400L);
  }

  @Test
  void aFailedFlushCountsBeforeOneThatNeverRan() {
    for (int neverRan : new int[] {Errno.OVERLOADED, Errno.CLOSED, Errno.DEADLINE}) {
      results.clear();
      assertThat(split.submit(request(BlockOp.FLUSH, 0, 0))).isTrue();
      below.get(0).fail(neverRan);
      below.get(1).fail(Errno.EIO);
      below.get(2).fail(Errno.ENOSPC);
      assertThat(results).containsExactly((long) -Errno.EIO);
    }
    results.clear();
    assertThat(split.submit(request(BlockOp.FLUSH, 0, 0))).isTrue();
    below.get(2).fail(Errno.EIO);
    below.get(1).fail(Errno.CLOSED);
    below.get(0).succeed();
    assertThat(results).containsExactly((long) -Errno.EIO);
  }

  @Test
  void thereIsRoomForWholeCommandsOnly() {
    List<BlockRequest> taken = new ArrayList<>();
    for (int i = 0; i < CAPACITY; i++) {
      BlockRequest request = across();
      taken.add(request);
      assertThat(split.submit(request)).isTrue();
    }
    assertThat(split.submit(across())).isFalse();
    below.forEach(Below::succeed);
    assertThat(results).hasSize(1);
    assertThat(split.submit(across())).isTrue();
    assertThat(split.submit(across())).isFalse();
    assertThat(taken).hasSize(CAPACITY);
  }

  @Test
  void aClosedSplitTakesNothingAndClosesAll() {
    split.close();
    assertThat(split.submit(across())).isFalse();
    assertThat(below).allMatch(engine -> engine.closed);
    assertThat(results).isEmpty();
  }

  @Test
  void slotsAreUsedAgain() {
    below.forEach(engine -> engine.atOnce = true);
    long[] ended = {0};
    BlockRequest request = new BlockRequest(home);
    BlockCompletion count = (command, result) -> ended[0]++;
    Runnable many =
        () -> {
          for (int i = 0; i < 20_000; i++) {
            request.prepare(BlockOp.READ, 50, 400, 1 << 20, 0, BlockRequest.NO_DEADLINE, count);
            split.submit(request);
          }
        };
    many.run();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    many.run();
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as("bytes for 20000 commands")
        .isLessThan(100_000);
    assertThat(ended[0]).isEqualTo(40_000);
  }
}

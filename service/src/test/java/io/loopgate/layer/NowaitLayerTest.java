package io.loopgate.layer;

import static io.loopgate.backing.BackingFixture.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.backing.Backing;
import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.BackingFixture;
import io.loopgate.backing.DelegatingBacking;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.Support;
import io.loopgate.backing.file.FileBackings;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.BlockingWrites;
import io.loopgate.engine.CommandRunner;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.LoopEngine;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.telemetry.NowaitOutcome;
import io.loopgate.telemetry.VolumeTelemetry;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NowaitLayerTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int LENGTH_BYTES = 4 * BLOCK_BYTES;

  private final Path image = BackingFixture.directory().resolve("image.raw");
  private final AlignedMemory memory = AlignedMemory.allocate(BLOCK_BYTES, LENGTH_BYTES);
  private final VolumeTelemetry telemetry = new VolumeTelemetry("nowait");
  private final BlockingWrites blockingWrites = new BlockingWrites();
  private final Below below = new Below();
  private final List<Long> results = new ArrayList<>();
  private FaultyBacking backing;
  private NowaitLayer layer;

  /** An engine that notes what it is given, and runs it when told. */
  private final class Below implements LoopEngine {
    private final List<BlockRequest> given = new ArrayList<>();
    private final List<Long> doneBefore = new ArrayList<>();
    private boolean full;
    private boolean closed;

    @Override
    public boolean submit(BlockRequest request) {
      if (full) {
        return false;
      }
      given.add(request);
      if (request.op() == BlockOp.WRITE) {
        blockingWrites.began();
      }
      doneBefore.add(request.doneBytes());
      return true;
    }

    void runAll(FaultyBacking backing) {
      List.copyOf(given)
          .forEach(
              request -> {
                if (request.op() == BlockOp.WRITE) {
                  blockingWrites.ended();
                }
                request.completeHere(CommandRunner.run(backing, request));
              });
      given.clear();
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

  @BeforeEach
  void open() {
    FileBackings.create(image, 1 << 20);
    backing = new FaultyBacking(FileBackings.open(image, new OpenOptions(false, false, 512)));
    assertThat(backing.capabilities().nowaitRead().available()).isTrue();
    layer = new NowaitLayer(below, backing, NowaitMode.AUTO, telemetry, blockingWrites);
    // Written through, so that the pages are in the cache.
    write(0, pattern(LENGTH_BYTES, 1));
  }

  @AfterEach
  void close() throws IOException {
    memory.close();
    backing.close();
    Files.delete(image);
  }

  private void write(long offsetBytes, byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    CommandRunner.run(backing, slot(BlockOp.WRITE, offsetBytes, bytes.length, 0));
    memory.segment().fill((byte) 0);
  }

  private BlockRequest slot(BlockOp op, long offsetBytes, long lengthBytes, int flags) {
    return new BlockRequest(new CompletionQueue(0, Runnable::run))
        .prepare(
            op,
            offsetBytes,
            lengthBytes,
            memory.address(),
            flags,
            BlockRequest.NO_DEADLINE,
            (request, result) -> results.add(result));
  }

  private BlockRequest read() {
    return slot(BlockOp.READ, 0, LENGTH_BYTES, 0);
  }

  private BlockRequest write() {
    return slot(BlockOp.WRITE, 0, LENGTH_BYTES, 0);
  }

  private long count(BlockOp op, NowaitOutcome outcome) {
    return telemetry.nowaitCount(op, outcome);
  }

  private void expectContent() {
    assertThat(memory.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(pattern(LENGTH_BYTES, 1));
  }

  @Test
  void aHitEndsInsideSubmit() {
    assertThat(layer.submit(read())).isTrue();
    assertThat(results).containsExactly((long) LENGTH_BYTES);
    assertThat(below.given).isEmpty();
    assertThat(count(BlockOp.READ, NowaitOutcome.HIT)).isEqualTo(1);
    expectContent();
  }

  @Test
  void theRestOfAShortHitGoesToTheEngineInTheSameSlot() {
    backing.shortenTo(BLOCK_BYTES);
    BlockRequest request = read();
    assertThat(layer.submit(request)).isTrue();
    assertThat(results).isEmpty();
    assertThat(below.given).containsExactly(request);
    assertThat(below.doneBefore).containsExactly((long) BLOCK_BYTES);
    assertThat(count(BlockOp.READ, NowaitOutcome.SHORT)).isEqualTo(1);
    below.runAll(backing);
    assertThat(results).containsExactly((long) LENGTH_BYTES);
    expectContent();
  }

  @Test
  void whatWouldWaitGoesToTheEngine() {
    backing.forceTry(Errno.EAGAIN);
    BlockRequest request = read();
    assertThat(layer.submit(request)).isTrue();
    assertThat(below.given).containsExactly(request);
    assertThat(below.doneBefore).containsExactly(0L);
    assertThat(count(BlockOp.READ, NowaitOutcome.AGAIN)).isEqualTo(1);
    below.runAll(backing);
    assertThat(results).containsExactly((long) LENGTH_BYTES);
  }

  @Test
  void neverIsLatchedForItsDirectionOnly() {
    backing.forceTry(Errno.EOPNOTSUPP);
    assertThat(layer.submit(read())).isTrue();
    assertThat(layer.submit(read())).isTrue();
    assertThat(below.given).hasSize(2);
    assertThat(backing.tried()).isEqualTo(1);
    assertThat(count(BlockOp.READ, NowaitOutcome.UNSUPPORTED)).isEqualTo(1);
    assertThat(count(BlockOp.READ, NowaitOutcome.SKIPPED)).isEqualTo(1);
    below.runAll(backing);
    if (backing.capabilities().nowaitWrite().available()) {
      assertThat(layer.submit(write())).isTrue();
      assertThat(backing.tried()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {Errno.ENOSYS, Errno.EPERM, Errno.EINVAL})
  void whatAFilterOrAnOldKernelSaysIsNever(int errno) {
    backing.forceTry(errno);
    assertThat(layer.submit(read())).isTrue();
    assertThat(layer.submit(read())).isTrue();
    assertThat(backing.tried()).isEqualTo(1);
    below.runAll(backing);
    assertThat(results).containsExactly((long) LENGTH_BYTES, (long) LENGTH_BYTES);
  }

  @Test
  void aBugInATryLeavesTheCommandToTheEngine() {
    NowaitLayer buggy =
        layer(
            NowaitMode.ALWAYS,
            request -> {
              throw new NoSuchMethodError("a bug in a backing");
            });
    assertThat(buggy.submit(read())).isTrue();
    assertThat(buggy.submit(read())).isTrue();
    assertThat(count(BlockOp.READ, NowaitOutcome.UNSUPPORTED)).isEqualTo(1);
    assertThat(count(BlockOp.READ, NowaitOutcome.SKIPPED)).isEqualTo(1);
    below.runAll(backing);
    assertThat(results).containsExactly((long) LENGTH_BYTES, (long) LENGTH_BYTES);
  }

  @Test
  void triesThatWaitDemote() {
    NowaitLayer waiting =
        layer(
            NowaitMode.AUTO,
            request -> {
              LockSupport.parkNanos(2_000_000);
              return request.remainingBytes();
            });
    int submitted = 0;
    while (count(BlockOp.READ, NowaitOutcome.DEMOTED) == 0 && submitted < 1_000) {
      assertThat(waiting.submit(read())).isTrue();
      submitted++;
    }
    assertThat(count(BlockOp.READ, NowaitOutcome.DEMOTED)).isEqualTo(1);
    assertThat(count(BlockOp.READ, NowaitOutcome.HIT)).isGreaterThan(1);
  }

  @Test
  void aWriteThatMayWaitKeepsOthersFromTryingUnlessAllAreToTry() {
    NowaitLayer auto = layer(NowaitMode.AUTO, BlockRequest::remainingBytes);
    NowaitLayer always = layer(NowaitMode.ALWAYS, BlockRequest::remainingBytes);
    assertThat(auto.submit(write())).isTrue();
    assertThat(count(BlockOp.WRITE, NowaitOutcome.HIT)).isEqualTo(1);
    blockingWrites.began();
    assertThat(auto.submit(write())).isTrue();
    assertThat(count(BlockOp.WRITE, NowaitOutcome.SKIPPED)).isEqualTo(1);
    assertThat(always.submit(write())).isTrue();
    assertThat(count(BlockOp.WRITE, NowaitOutcome.HIT)).isEqualTo(2);
    blockingWrites.ended();
    below.runAll(backing);
    assertThat(auto.submit(write())).isTrue();
    assertThat(count(BlockOp.WRITE, NowaitOutcome.HIT)).isEqualTo(3);
  }

  /** Wraps a backing whose tries in both directions are these. */
  private NowaitLayer layer(NowaitMode mode, ToLongFunction<BlockRequest> tries) {
    BackingCapabilities can = backing.capabilities();
    BackingCapabilities canTry =
        new BackingCapabilities(
            Support.yes("as told"),
            Support.yes("as told"),
            can.direct(),
            can.punchHole(),
            can.zeroRange(),
            can.dsync(),
            can.stable(),
            can.extents(),
            can.neverBlocks());
    Backing told =
        new DelegatingBacking(backing) {
          @Override
          public BackingCapabilities capabilities() {
            return canTry;
          }

          @Override
          public long tryNow(BlockRequest request) {
            return tries.applyAsLong(request);
          }
        };
    return new NowaitLayer(below, told, mode, telemetry, blockingWrites);
  }

  @Test
  void anotherErrorIsTheCommandsOwn() {
    backing.forceTry(Errno.EIO);
    assertThat(layer.submit(read())).isTrue();
    assertThat(results).containsExactly((long) -Errno.EIO);
    assertThat(below.given).isEmpty();
    assertThat(count(BlockOp.READ, NowaitOutcome.HIT)).isEqualTo(1);
  }

  @Test
  void writesAreSkippedWhileTheEngineIsBusy() {
    NowaitLayer always =
        new NowaitLayer(below, backing, NowaitMode.ALWAYS, telemetry, blockingWrites);
    assertThat(always.submit(slot(BlockOp.FLUSH, 0, 0, 0))).isTrue();
    assertThat(always.inFlight()).isEqualTo(1);
    assertThat(always.submit(write())).isTrue();
    assertThat(backing.tried()).isZero();
    assertThat(count(BlockOp.WRITE, NowaitOutcome.SKIPPED)).isEqualTo(1);
    assertThat(below.given).hasSize(2);
    assertThat(always.submit(read())).as("reads are tried all the same").isTrue();
    assertThat(count(BlockOp.READ, NowaitOutcome.HIT)).isEqualTo(1);
  }

  @Test
  void aWriteIsTriedWhereTheFileCan() {
    boolean can = backing.capabilities().nowaitWrite().available();
    assertThat(layer.submit(write())).isTrue();
    assertThat(backing.tried()).isEqualTo(can ? 1 : 0);
    assertThat(results.size() + below.given.size()).isEqualTo(1);
  }

  @Test
  void everythingElseGoesStraightToTheEngine() {
    assertThat(layer.submit(slot(BlockOp.FLUSH, 0, 0, 0))).isTrue();
    assertThat(layer.submit(slot(BlockOp.ZERO, 0, BLOCK_BYTES, 0))).isTrue();
    assertThat(layer.submit(slot(BlockOp.DISCARD, 0, BLOCK_BYTES, 0))).isTrue();
    assertThat(layer.submit(slot(BlockOp.WRITE, 0, BLOCK_BYTES, BlockRequest.FUA))).isTrue();
    assertThat(below.given).hasSize(4);
    assertThat(backing.tried()).isZero();
    assertThat(layer.drain(Duration.ZERO)).isFalse();
  }

  @Test
  void aColdVolumeIsDemoted() {
    backing.forceTry(Errno.EAGAIN);
    for (int i = 0; i < 1_000; i++) {
      assertThat(layer.submit(read())).isTrue();
    }
    assertThat(count(BlockOp.READ, NowaitOutcome.DEMOTED)).isGreaterThan(700);
    assertThat(backing.tried()).isLessThan(300);
    assertThat(
            count(BlockOp.READ, NowaitOutcome.AGAIN) + count(BlockOp.READ, NowaitOutcome.DEMOTED))
        .isEqualTo(1_000);
  }

  @Test
  void whatTheEngineRefusesIsRefused() {
    backing.forceTry(Errno.EAGAIN);
    below.full = true;
    assertThat(layer.submit(read())).isFalse();
    assertThat(results).isEmpty();
  }

  @Test
  void aClosedLayerTakesNothing() {
    layer.close();
    assertThat(below.closed).isTrue();
    assertThat(layer.submit(read())).isFalse();
    assertThat(backing.tried()).isZero();
    assertThat(results).isEmpty();
  }
}

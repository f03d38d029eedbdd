package io.loopgate.layer;

import io.loopgate.backing.Backing;
import io.loopgate.backing.DirectIo;
import io.loopgate.backing.FaultyBacking;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.linear.LinearBacking;
import io.loopgate.backing.ram.RamBacking;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.engine.EngineEnvironment;
import io.loopgate.engine.EngineSelector;
import io.loopgate.engine.LoopEngine;
import io.loopgate.engine.TestLoop;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.telemetry.VolumeTelemetry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A split over RAM disks that fail as told, and a loop that submits to it. */
final class SplitFixture implements AutoCloseable {
  private static final long SECONDS_MAX = 30;

  private final TestLoop loop = new TestLoop(0);
  private final List<FaultyBacking> segments = new ArrayList<>();
  private final LinearBacking linear;
  private final SegmentSplit split;

  SplitFixture(String engine, int... sizesBytes) {
    for (int sizeBytes : sizesBytes) {
      segments.add(
          new FaultyBacking(
              RamBacking.open(sizeBytes, new OpenOptions(false, DirectIo.AUTO, 512))));
    }
    linear = LinearBacking.join("linear:test", List.<Backing>copyOf(segments), 512);
    List<LoopEngine> engines = new ArrayList<>();
    for (Backing segment : segments) {
      EngineEnvironment environment =
          new EngineEnvironment(
              "split",
              segment,
              SegmentSplit.segmentCapacity(64),
              false,
              List.of(loop),
              new VolumeTelemetry("split"));
      engines.add(new EngineSelector().open(engine, environment).engine());
    }
    split = new SegmentSplit(engines, linear.map(), 64);
  }

  /** How a command ended. */
  record End(long result, long doneBytes) {}

  TestLoop loop() {
    return loop;
  }

  FaultyBacking segment(int index) {
    return segments.get(index);
  }

  LinearBacking linear() {
    return linear;
  }

  SegmentSplit split() {
    return split;
  }

  static End get(CompletableFuture<End> end) {
    return end.orTimeout(SECONDS_MAX, TimeUnit.SECONDS).join();
  }

  CompletableFuture<End> submit(
      BlockOp op, long offsetBytes, long lengthBytes, long address, int flags) {
    CompletableFuture<End> end = new CompletableFuture<>();
    BlockRequest request =
        new BlockRequest(loop.completions())
            .prepare(
                op,
                offsetBytes,
                lengthBytes,
                address,
                flags,
                BlockRequest.NO_DEADLINE,
                (ended, result) -> {
                  if (!loop.isHere() || !end.complete(new End(result, ended.doneBytes()))) {
                    end.obtrudeException(new AssertionError("ended twice, or on another thread"));
                  }
                });
    loop.execute(
        () -> {
          if (!split.submit(request)) {
            end.completeExceptionally(new AssertionError("refused: " + request));
          }
        });
    return end;
  }

  End run(BlockOp op, long offsetBytes, long lengthBytes, int flags) {
    return get(submit(op, offsetBytes, lengthBytes, 0, flags));
  }

  End write(long offsetBytes, byte[] bytes) {
    try (AlignedMemory memory = AlignedMemory.allocate(Long.BYTES, bytes.length)) {
      MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
      return get(submit(BlockOp.WRITE, offsetBytes, bytes.length, memory.address(), 0));
    }
  }

  byte[] read(long offsetBytes, int lengthBytes) {
    try (AlignedMemory memory = AlignedMemory.allocate(Long.BYTES, lengthBytes)) {
      End end = get(submit(BlockOp.READ, offsetBytes, lengthBytes, memory.address(), 0));
      if (!end.equals(new End(lengthBytes, lengthBytes))) {
        throw new AssertionError(end);
      }
      return memory.segment().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Override
  public void close() {
    segments.forEach(FaultyBacking::release);
    split.close();
    loop.run(() -> {});
    loop.close();
    linear.close();
  }
}

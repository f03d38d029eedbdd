package io.loopgate.bench.contender;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandRunner;
import io.loopgate.sys.AlignedMemory;

/**
 * Writes a backing that lives in memory from end to end: what was never written reads as zeroes
 * from nowhere, which is not what is to be measured. Blocks.
 */
final class Prefill {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int ALIGNMENT_BYTES = 4096;

  private Prefill() {}

  /** Fills all of it; throws {@link IllegalStateException} if a write fails. */
  static void fill(Backing backing) {
    long sizeBytes = backing.geometry().sizeBytes();
    BlockRequest request = new BlockRequest(new Nobody());
    try (AlignedMemory memory = AlignedMemory.allocate(ALIGNMENT_BYTES, CHUNK_BYTES)) {
      memory.segment().fill((byte) 0x5A);
      for (long offset = 0; offset < sizeBytes; offset += CHUNK_BYTES) {
        long length = Math.min(CHUNK_BYTES, sizeBytes - offset);
        request.prepare(
            BlockOp.WRITE,
            offset,
            length,
            memory.address(),
            0,
            BlockRequest.NO_DEADLINE,
            (_, _) -> {});
        long result = CommandRunner.run(backing, request);
        if (result < 0) {
          throw new IllegalStateException("cannot fill the volume: " + Errno.name(-result));
        }
        request.completeHere(result);
      }
    }
  }

  /** No engine sees these commands. */
  private static final class Nobody implements CompletionSink {
    @Override
    public void offer(BlockRequest request) {
      throw new IllegalStateException("no engine should have had " + request);
    }

    @Override
    public int loopIndex() {
      return 0;
    }
  }
}

package io.loopgate.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.CompletionSink;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Runs commands on a backing the way an engine does: aligned memory, and short steps continued. */
public final class BackingFixture implements AutoCloseable {
  private static final int MEMORY_ALIGNMENT_BYTES = 4096;

  private final Backing backing;

  /** Creates one; the backing is closed with it. */
  public BackingFixture(Backing backing) {
    this.backing = backing;
  }

  /**
   * Returns a fresh directory on the file system of the build, which unlike /tmp is never one in
   * memory.
   */
  public static Path directory() {
    try {
      Path parent = Files.createDirectories(Path.of("target", "backings"));
      return Files.createTempDirectory(parent, "t");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Returns reproducible bytes. */
  public static byte[] pattern(int lengthBytes, long seed) {
    byte[] bytes = new byte[lengthBytes];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** Returns what commands run on. */
  public Backing backing() {
    return backing;
  }

  /** Makes a request that is not submitted to anyone. */
  public static BlockRequest request(
      BlockOp op, long offsetBytes, long lengthBytes, long address, int flags) {
    CompletionSink nowhere =
        new CompletionSink() {
          @Override
          public void offer(BlockRequest request) {
            throw new AssertionError("nobody ends requests here");
          }

          @Override
          public int loopIndex() {
            return 0;
          }
        };
    return new BlockRequest(nowhere)
        .prepare(
            op,
            offsetBytes,
            lengthBytes,
            address,
            flags,
            BlockRequest.NO_DEADLINE,
            (ended, result) -> {});
  }

  /** Runs to the end; returns the length, or the first error. */
  public long run(BlockRequest request) {
    if (request.op() == BlockOp.FLUSH) {
      return backing.execute(request);
    }
    while (request.remainingBytes() > 0) {
      long result = backing.execute(request);
      assertThat(result).as("a step of %s", request).isNotZero();
      if (result < 0) {
        return result;
      }
      request.advance(result);
    }
    return request.doneBytes();
  }

  /** Reads a range, which has to succeed. */
  public byte[] read(long offsetBytes, int lengthBytes) {
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, lengthBytes)) {
      BlockRequest request = request(BlockOp.READ, offsetBytes, lengthBytes, memory.address(), 0);
      assertThat(run(request)).isEqualTo(lengthBytes);
      return memory.segment().toArray(ValueLayout.JAVA_BYTE);
    }
  }

  /** Reads without waiting; returns the result of the one step. */
  public long tryRead(long offsetBytes, int lengthBytes) {
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, lengthBytes)) {
      return backing.tryNow(request(BlockOp.READ, offsetBytes, lengthBytes, memory.address(), 0));
    }
  }

  /** Reads to the end; returns the length or the error. */
  public long readResult(long offsetBytes, int lengthBytes) {
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, lengthBytes)) {
      return run(request(BlockOp.READ, offsetBytes, lengthBytes, memory.address(), 0));
    }
  }

  /** Writes; returns the length or the error. */
  public long write(long offsetBytes, byte[] bytes, int flags) {
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, bytes.length)) {
      MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
      return run(request(BlockOp.WRITE, offsetBytes, bytes.length, memory.address(), flags));
    }
  }

  /** Writes without waiting; returns the result of the one step. */
  public long tryWrite(long offsetBytes, byte[] bytes, int flags) {
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, bytes.length)) {
      MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
      return backing.tryNow(
          request(BlockOp.WRITE, offsetBytes, bytes.length, memory.address(), flags));
    }
  }

  /** Discards; returns the length or the error. */
  public long discard(long offsetBytes, long lengthBytes) {
    return run(request(BlockOp.DISCARD, offsetBytes, lengthBytes, 0, 0));
  }

  /** Zeroes; returns the length or the error. */
  public long zero(long offsetBytes, long lengthBytes, int flags) {
    return run(request(BlockOp.ZERO, offsetBytes, lengthBytes, 0, flags));
  }

  /** Flushes; returns 0 or the error. */
  public long flush() {
    return run(request(BlockOp.FLUSH, 0, 0, 0, 0));
  }

  /** Names a result for messages. */
  public static String name(long result) {
    return result < 0 ? Errno.name(-result) : Long.toString(result);
  }

  @Override
  public void close() {
    backing.close();
  }
}

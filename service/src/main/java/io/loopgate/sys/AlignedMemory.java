package io.loopgate.sys;

import io.loopgate.block.Errno;
import java.lang.foreign.MemorySegment;

/**
 * Native memory at an aligned address, zeroed when it is made: what direct I/O needs. Belongs to
 * its creator, who closes it when no call can touch it any more; any thread may.
 */
public final class AlignedMemory implements AutoCloseable {
  private final SystemCalls calls;
  private final long address;
  private final long sizeBytes;
  private boolean closed;

  private AlignedMemory(SystemCalls calls, long address, long sizeBytes) {
    this.calls = calls;
    this.address = address;
    this.sizeBytes = sizeBytes;
  }

  /**
   * Allocates.
   *
   * @param alignmentBytes a power of two of at least 8
   * @throws IllegalStateException if there is no memory, or the alignment is not one
   */
  public static AlignedMemory allocate(long alignmentBytes, long sizeBytes) {
    SystemCalls calls = SystemCalls.instance();
    long address = calls.allocateAligned(alignmentBytes, sizeBytes);
    if (address <= 0) {
      throw new IllegalStateException(
          "no " + sizeBytes + " bytes aligned to " + alignmentBytes + ": " + Errno.name(-address));
    }
    AlignedMemory memory = new AlignedMemory(calls, address, sizeBytes);
    memory.segment().fill((byte) 0);
    return memory;
  }

  /** Returns where it begins. */
  public long address() {
    return address;
  }

  /** Returns how long it is. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Returns a view of it, which must not be used after it is closed. */
  public MemorySegment segment() {
    return MemorySegment.ofAddress(address).reinterpret(sizeBytes);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      calls.free(address);
    }
  }
}

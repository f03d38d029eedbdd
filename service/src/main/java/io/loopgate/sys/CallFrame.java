package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Memory that a call needs besides its payload: where {@code errno} is captured, and room for one
 * small structure.
 *
 * <p>A platform thread keeps one for life, so that a call allocates nothing. A virtual thread may
 * live for a single call: those borrow from a pool, which never holds more than calls ran at once.
 */
final class CallFrame {
  private static final ThreadLocal<CallFrame> OF_THREAD =
      ThreadLocal.withInitial(() -> new CallFrame(false));
  private static final ConcurrentLinkedQueue<CallFrame> POOL = new ConcurrentLinkedQueue<>();
  private static final long ERRNO_OFFSET_BYTES =
      Linker.Option.captureStateLayout()
          .byteOffset(java.lang.foreign.MemoryLayout.PathElement.groupElement("errno"));

  /** How many pointers fit into {@link #scratch}. */
  static final int POINTERS_MAX = 128;

  private static final long SCRATCH_BYTES =
      Math.max(FileStatus.BYTES, (long) POINTERS_MAX * Long.BYTES);

  /** Where the linker puts {@code errno}. */
  final MemorySegment state;

  /**
   * Room for an I/O vector, a {@code struct statx}, the argument of an ioctl or a list of pointers.
   */
  final MemorySegment scratch;

  /** Address of {@link #scratch}. */
  final long scratchAddress;

  private final boolean pooled;

  private CallFrame(boolean pooled) {
    // Reclaimed with the frame: no thread can be asked to close an arena when it ends.
    Arena arena = Arena.ofAuto();
    this.state = arena.allocate(Linker.Option.captureStateLayout());
    this.scratch = arena.allocate(SCRATCH_BYTES, Long.BYTES);
    this.scratchAddress = scratch.address();
    this.pooled = pooled;
  }

  static CallFrame acquire() {
    if (!Thread.currentThread().isVirtual()) {
      return OF_THREAD.get();
    }
    CallFrame frame = POOL.poll();
    return frame == null ? new CallFrame(true) : frame;
  }

  void release() {
    if (pooled) {
      POOL.offer(this);
    }
  }

  /** Makes the scratch an I/O vector of one element and returns its address. */
  long vector(long address, long lengthBytes) {
    scratch.set(JAVA_LONG, 0, address);
    scratch.set(JAVA_LONG, Long.BYTES, lengthBytes);
    return scratchAddress;
  }

  /** Turns the C convention, -1 and {@code errno}, into a result. */
  long result(long returned) {
    return returned == -1 ? -(long) state.get(JAVA_INT, ERRNO_OFFSET_BYTES) : returned;
  }
}

package io.loopgate.sys;

import static io.loopgate.sys.LinuxConstants.SYS_IO_DESTROY;
import static io.loopgate.sys.LinuxConstants.SYS_IO_GETEVENTS;
import static io.loopgate.sys.LinuxConstants.SYS_IO_SETUP;
import static io.loopgate.sys.LinuxConstants.SYS_IO_SUBMIT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A context of the kernel, with {@code struct iocb} and I/O vectors in native memory. */
final class LinuxAsyncIo implements AsyncIo {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final long IOCB_BYTES = 64;
  private static final long DATA_OFFSET = 0;
  private static final long RW_FLAGS_OFFSET = 12;
  private static final long OPCODE_OFFSET = 16;
  private static final long FD_OFFSET = 20;
  private static final long ADDRESS_OFFSET = 24;
  private static final long LENGTH_OFFSET = 32;
  private static final long POSITION_OFFSET = 40;
  private static final long FLAGS_OFFSET = 56;
  private static final long SIGNAL_FD_OFFSET = 60;

  private static final int IOCB_FLAG_RESFD = 1;
  private static final short PREAD = 0;
  private static final short PWRITE = 1;
  private static final short PREADV = 7;
  private static final short PWRITEV = 8;

  private static final long VECTOR_BYTES = 16;
  private static final int EVENTS_MAX = 64;
  private static final long TIMEOUT_BYTES = 16;

  private final long context;
  private final AlignedMemory memory;
  private final long iocbs;
  private final long vectors;
  private final long timeout;
  private final long events;
  private final int partsMax;
  private final Optional<AioRing> ring;

  private LinuxAsyncIo(
      long context,
      AlignedMemory memory,
      int slots,
      int partsMax,
      int signalFd,
      Optional<AioRing> ring) {
    this.context = context;
    this.memory = memory;
    this.partsMax = partsMax;
    this.iocbs = memory.address();
    this.timeout = iocbs + slots * IOCB_BYTES;
    this.events = timeout + TIMEOUT_BYTES;
    this.vectors = events + AioRing.bytes(EVENTS_MAX);
    this.ring = ring;
    for (int slot = 0; slot < slots; slot++) {
      long iocb = iocb(slot);
      ALL.set(JAVA_LONG, iocb + DATA_OFFSET, slot);
      if (signalFd >= 0) {
        ALL.set(JAVA_INT, iocb + FLAGS_OFFSET, IOCB_FLAG_RESFD);
        ALL.set(JAVA_INT, iocb + SIGNAL_FD_OFFSET, signalFd);
      }
    }
  }

  /** Opens a context; {@code useRing} is false where a test wants to see the other way. */
  static AsyncIo open(int slots, int partsMax, EventFd signal, boolean useRing) {
    long bytes =
        slots * (IOCB_BYTES + partsMax * VECTOR_BYTES) + TIMEOUT_BYTES + AioRing.bytes(EVENTS_MAX);
    AlignedMemory memory = AlignedMemory.allocate(IOCB_BYTES, bytes);
    // io_setup wants to find 0 where it puts the context: memory is zeroed when it is made.
    long result = AioHandles.syscall(SYS_IO_SETUP, slots, memory.address());
    if (result < 0) {
      memory.close();
      throw new SystemCallException("io_setup", result);
    }
    long context = ALL.get(JAVA_LONG, memory.address());
    Optional<AioRing> ring =
        useRing && AioRing.isKnown(context) ? Optional.of(new AioRing(context)) : Optional.empty();
    return new LinuxAsyncIo(context, memory, slots, partsMax, signal.fd(), ring);
  }

  private long iocb(int slot) {
    return iocbs + slot * IOCB_BYTES;
  }

  private long vector(int slot) {
    return vectors + slot * (partsMax * VECTOR_BYTES);
  }

  @Override
  public void fill(
      int slot,
      boolean write,
      int fd,
      long address,
      long lengthBytes,
      long offsetBytes,
      int rwFlags) {
    fill(slot, write ? PWRITE : PREAD, fd, address, lengthBytes, offsetBytes, rwFlags);
  }

  @Override
  public void part(int slot, int part, long address, long lengthBytes) {
    long vector = vector(slot) + part * VECTOR_BYTES;
    ALL.set(JAVA_LONG, vector, address);
    ALL.set(JAVA_LONG, vector + Long.BYTES, lengthBytes);
  }

  @Override
  public void fillParts(int slot, boolean write, int fd, int parts, long offsetBytes, int rwFlags) {
    fill(slot, write ? PWRITEV : PREADV, fd, vector(slot), parts, offsetBytes, rwFlags);
  }

  private void fill(
      int slot, short opcode, int fd, long address, long length, long offsetBytes, int rwFlags) {
    long iocb = iocb(slot);
    ALL.set(JAVA_INT, iocb + RW_FLAGS_OFFSET, rwFlags);
    ALL.set(JAVA_SHORT, iocb + OPCODE_OFFSET, opcode);
    ALL.set(JAVA_INT, iocb + FD_OFFSET, fd);
    ALL.set(JAVA_LONG, iocb + ADDRESS_OFFSET, address);
    ALL.set(JAVA_LONG, iocb + LENGTH_OFFSET, length);
    ALL.set(JAVA_LONG, iocb + POSITION_OFFSET, offsetBytes);
  }

  @Override
  public int submit(int[] slots, int from, int count) {
    int taken = Math.min(count, SUBMIT_MAX);
    CallFrame frame = CallFrame.acquire();
    try {
      for (int i = 0; i < taken; i++) {
        frame.scratch.setAtIndex(JAVA_LONG, i, iocb(slots[from + i]));
      }
      return (int) AioHandles.syscall(SYS_IO_SUBMIT, context, taken, frame.scratchAddress);
    } finally {
      frame.release();
    }
  }

  @Override
  public int reap(int[] slots, long[] results) {
    return ring.isPresent() ? ring.get().take(slots, results) : ask(slots, results);
  }

  private int ask(int[] slots, long[] results) {
    int most = Math.min(slots.length, EVENTS_MAX);
    long count = AioHandles.syscall(SYS_IO_GETEVENTS, context, 0, most, events, timeout);
    if (count > 0) {
      AioRing.copy(events, (int) count, slots, results);
    }
    return (int) Math.max(0, count);
  }

  @Override
  public boolean reapsInUserSpace() {
    return ring.isPresent();
  }

  @Override
  public void close() {
    AioHandles.syscall(SYS_IO_DESTROY, context, 0);
    memory.close();
  }
}

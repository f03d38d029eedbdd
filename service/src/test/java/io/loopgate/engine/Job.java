package io.loopgate.engine;

import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.sys.AlignedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;

/** A slot with memory that notes how, where and how often its command ended. */
public final class Job implements BlockCompletion, AutoCloseable {
  private static final long MEMORY_ALIGNMENT_BYTES = 4096;

  private final TestLoop loop;
  private final BlockRequest request;
  private final AlignedMemory memory;
  private final AtomicInteger completions = new AtomicInteger();
  private volatile boolean onItsLoop = true;
  private volatile long result;
  private volatile long doneBytes;
  private volatile Runnable next = () -> {};

  /** Creates an idle slot of a loop. */
  public Job(TestLoop loop, int memoryBytes) {
    this.loop = loop;
    this.request = new BlockRequest(loop.completions());
    this.memory = AlignedMemory.allocate(MEMORY_ALIGNMENT_BYTES, memoryBytes);
  }

  /** Returns the loop that submits it. */
  public TestLoop loop() {
    return loop;
  }

  /** Returns the slot. */
  public BlockRequest request() {
    return request;
  }

  /** Fills the slot for a command without flags and deadline. */
  public Job prepare(BlockOp op, long offsetBytes, long lengthBytes) {
    return prepare(op, offsetBytes, lengthBytes, 0, BlockRequest.NO_DEADLINE);
  }

  /** Fills the slot for a command. */
  public Job prepare(
      BlockOp op, long offsetBytes, long lengthBytes, int flags, long deadlineNanos) {
    boolean payload = op == BlockOp.READ || op == BlockOp.WRITE;
    request.prepare(
        op, offsetBytes, lengthBytes, payload ? memory.address() : 0, flags, deadlineNanos, this);
    return this;
  }

  /** Copies bytes into the memory. */
  public Job fill(byte[] bytes) {
    MemorySegment.copy(bytes, 0, memory.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);
    return this;
  }

  /** Returns what the memory begins with. */
  public byte[] content(int lengthBytes) {
    return memory.segment().asSlice(0, lengthBytes).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Sets what runs in each completion. */
  public void then(Runnable work) {
    next = work;
  }

  @Override
  public void completed(BlockRequest ended, long endedResult) {
    onItsLoop &= loop.isHere() && ended == request;
    result = endedResult;
    doneBytes = ended.doneBytes();
    completions.incrementAndGet();
    next.run();
  }

  /** Returns how many commands have ended. */
  public int completions() {
    return completions.get();
  }

  /** Tells whether each of them ended on the loop of the slot. */
  public boolean endedOnItsLoop() {
    return onItsLoop;
  }

  /** Returns how far the last command came. */
  public long doneBytes() {
    return doneBytes;
  }

  /** Returns the result of the last command. */
  public long result() {
    return result;
  }

  /** Waits until the command ended for the {@code count}-th time and returns its result. */
  public long awaitResult(int count) {
    Await.until(count + " completions of " + request, () -> completions.get() >= count);
    return result;
  }

  @Override
  public void close() {
    memory.close();
  }
}

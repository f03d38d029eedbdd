package io.loopgate.bench.load;

import io.loopgate.block.BlockCompletion;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.LoopContext;
import io.loopgate.engine.LoopEngine;
import java.util.function.Consumer;

/**
 * Keeps a number of commands in flight from one event loop: a completion makes room, and the next
 * command takes it. Confined to its loop, but for the constructor; allocates nothing per command.
 *
 * <p>A completion may run inside {@code submit}. Submitting again from there would nest without
 * end, so completions only note that a slot is free, and the one loop in {@link #pump} submits.
 * After {@value #IN_A_ROW_MAX} commands in a row it lets the event loop do something else.
 */
final class Job {
  private static final int IN_A_ROW_MAX = 64;

  private final LoopContext loop;
  private final LoopEngine engine;
  private final LoopMeter meter;
  private final Offsets offsets;
  private final Consumer<String> failed;
  private final Runnable idle;
  private final Runnable pump = this::resume;
  private final Slot[] free;
  private int freeCount;
  private boolean running;
  private boolean stopped;
  private boolean reportedIdle;
  private boolean pumping;
  private boolean yielded;

  /**
   * Creates a job that does nothing yet.
   *
   * @param address memory for {@code depth} commands
   * @param failed told why, when a command fails; the job stops then
   * @param idle run once when the job was stopped and its last command has ended
   */
  Job(
      LoopContext loop,
      LoopEngine engine,
      LoopMeter meter,
      Offsets offsets,
      int depth,
      long address,
      long slotBytes,
      Consumer<String> failed,
      Runnable idle) {
    this.loop = loop;
    this.engine = engine;
    this.meter = meter;
    this.offsets = offsets;
    this.failed = failed;
    this.idle = idle;
    this.free = new Slot[depth];
    for (int i = 0; i < depth; i++) {
      free[i] = new Slot(address + i * slotBytes);
    }
    this.freeCount = depth;
  }

  /** One command in flight, with its memory. */
  private final class Slot implements BlockCompletion {
    private final BlockRequest request = new BlockRequest(loop.completions());
    private final long address;

    Slot(long address) {
      this.address = address;
    }

    boolean submit() {
      request.prepare(
          offsets.op(),
          offsets.offsetBytes(),
          offsets.lengthBytes(),
          address,
          0,
          BlockRequest.NO_DEADLINE,
          this);
      return engine.submit(request);
    }

    @Override
    public void completed(BlockRequest ended, long result) {
      long tookNanos = System.nanoTime() - ended.startNanos();
      if (result == ended.lengthBytes()) {
        meter.ended(ended.op(), result, tookNanos);
      } else {
        fail(ended.op(), result);
      }
      free[freeCount++] = this;
      pump();
    }
  }

  void start() {
    running = true;
    pump();
  }

  void stop() {
    running = false;
    stopped = true;
    pump();
  }

  private void resume() {
    yielded = false;
    pump();
  }

  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    int inARow = 0;
    while (running && freeCount > 0 && !yielded) {
      if (inARow++ == IN_A_ROW_MAX) {
        yielded = true;
        loop.execute(pump);
        break;
      }
      submitNext();
    }
    pumping = false;
    if (stopped && freeCount == free.length && !reportedIdle) {
      reportedIdle = true;
      idle.run();
    }
  }

  private void submitNext() {
    Slot slot = free[--freeCount];
    offsets.next();
    if (!slot.submit()) {
      freeCount++;
      running = false;
      failed.accept("the engine refused a command although it was below its bound");
    }
  }

  private void fail(BlockOp op, long result) {
    if (running) {
      running = false;
      failed.accept(
          op
              + " failed with "
              + (result < 0 ? Errno.name(-result) : "a length of " + result + " bytes"));
    }
  }
}

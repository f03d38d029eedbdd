package io.loopgate.engine.aio;

import io.loopgate.backing.Backing;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CompletionQueue;
import io.loopgate.engine.LoopEngine;
import io.loopgate.sys.AsyncIo;
import io.loopgate.sys.EventFd;
import io.loopgate.sys.LinuxConstants;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Native asynchronous I/O that runs each command on a backing, so that its faults and gates take
 * effect: with {@code RWF_NOWAIT} at once, else on a thread of its own.
 */
public final class FakeKernel implements AsyncIo.Kernel {
  private static final CountDownLatch OPEN = new CountDownLatch(0);

  private final Backing backing;
  private final ConcurrentSkipListMap<Long, Origin> origins = new ConcurrentSkipListMap<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger submissions = new AtomicInteger();
  private final AtomicInteger reaps = new AtomicInteger();
  private final AtomicInteger contexts = new AtomicInteger();
  private final Queue<Integer> partsOfCommands = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int refusal;
  private volatile CountDownLatch waits = OPEN;
  private volatile Predicate<BlockOp> waitsFor = op -> false;

  /** Creates one over a backing that stays its owner's. */
  public FakeKernel(Backing backing) {
    this.backing = backing;
  }

  /** What a command was when it was submitted: the kernel sees only what is left of it. */
  private record Origin(BlockOp op, long offset, long length, long address, int flags) {}

  /** Notes what is submitted to an engine over this kernel. */
  public LoopEngine noting(LoopEngine engine) {
    return new LoopEngine() {
      @Override
      public boolean submit(BlockRequest request) {
        int flags =
            (request.isFua() ? BlockRequest.FUA : 0)
                | (request.mayUnmap() ? BlockRequest.MAY_UNMAP : 0);
        long address = request.remainingAddress();
        origins.put(
            address,
            new Origin(request.op(), request.offsetBytes(), request.lengthBytes(), address, flags));
        return engine.submit(request);
      }

      @Override
      public int inFlight() {
        return engine.inFlight();
      }

      @Override
      public boolean drain(Duration timeout) {
        return engine.drain(timeout);
      }

      @Override
      public void close() {
        engine.close();
      }
    };
  }

  /** Returns how often commands were handed over. */
  int submissions() {
    return submissions.get();
  }

  /** Returns how often somebody looked for what has ended. */
  public int reaps() {
    return reaps.get();
  }

  /** Returns how many contexts are open. */
  public int contexts() {
    return contexts.get();
  }

  /** Returns of how many parts each of the commands consisted that were handed over. */
  List<Integer> partsOfCommands() {
    return List.copyOf(partsOfCommands);
  }

  /** Returns what went wrong in here: commands that nobody submitted, or not like that. */
  public List<Throwable> failures() {
    return List.copyOf(failures);
  }

  /** Refuses the next so many commands when they are handed over. */
  void refuse(int times, int errno) {
    refusal = errno;
    refusals.set(times);
  }

  /** Lets whoever hands such commands over without NOWAIT wait until the latch is counted down. */
  CountDownLatch waitToSubmit(Predicate<BlockOp> which) {
    CountDownLatch latch = new CountDownLatch(1);
    waitsFor = which;
    waits = latch;
    return latch;
  }

  @Override
  public AsyncIo open(int slots, int partsMax, EventFd signal) {
    contexts.incrementAndGet();
    return new Context(slots, partsMax, signal);
  }

  private record Part(long address, long length) {}

  private record Command(boolean write, List<Part> parts, long offset, int flags) {
    BlockOp op() {
      return write ? BlockOp.WRITE : BlockOp.READ;
    }

    boolean nowait() {
      return (flags & LinuxConstants.RWF_NOWAIT) != 0;
    }
  }

  private record Event(int slot, long result) {}

  private final class Context implements AsyncIo {
    private final Part[][] vectors;
    private final Command[] commands;
    private final EventFd signal;
    private final AtomicInteger running = new AtomicInteger();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads =
        Executors.newCachedThreadPool(Thread.ofPlatform().daemon(true).factory());

    Context(int slots, int partsMax, EventFd signal) {
      this.vectors = new Part[slots][partsMax];
      this.commands = new Command[slots];
      this.signal = signal;
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
      commands[slot] =
          new Command(write, List.of(new Part(address, lengthBytes)), offsetBytes, rwFlags);
    }

    @Override
    public void part(int slot, int part, long address, long lengthBytes) {
      vectors[slot][part] = new Part(address, lengthBytes);
    }

    @Override
    public void fillParts(
        int slot, boolean write, int fd, int parts, long offsetBytes, int rwFlags) {
      List<Part> copied = List.of(Arrays.copyOf(vectors[slot], parts));
      commands[slot] = new Command(write, copied, offsetBytes, rwFlags);
    }

    @Override
    public int submit(int[] slots, int from, int count) {
      submissions.incrementAndGet();
      for (int i = 0; i < count; i++) {
        long refused = submit(slots[from + i]);
        if (refused < 0) {
          return i == 0 ? (int) refused : i;
        }
      }
      return count;
    }

    private long submit(int slot) {
      Command command = commands[slot];
      if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return -refusal;
      }
      partsOfCommands.add(command.parts().size());
      running.incrementAndGet();
      if (!command.nowait()) {
        if (waitsFor.test(command.op())) {
          awaitQuietly(waits);
        }
        threads.execute(() -> end(slot, run(command)));
        return 0;
      }
      long result = run(command);
      if (result == -Errno.EOPNOTSUPP) {
        running.decrementAndGet();
        return result;
      }
      end(slot, result);
      return 0;
    }

    private void end(int slot, long result) {
      // Before the event can be seen: whoever sees the last one may close the context.
      running.decrementAndGet();
      events.add(new Event(slot, result));
      signal.signal();
    }

    private long run(Command command) {
      long moved = 0;
      for (Part part : command.parts()) {
        long result = run(command, part, command.offset() + moved);
        if (result < 0) {
          return moved > 0 ? moved : result;
        }
        moved += result;
        if (result < part.length()) {
          break;
        }
      }
      return moved;
    }

    private long run(Command command, Part part, long offset) {
      BlockRequest step;
      try {
        step = step(command, part, offset);
      } catch (AssertionError e) {
        failures.add(e);
        return -Errno.EIO;
      }
      try {
        return command.nowait() ? backing.tryNow(step) : backing.execute(step);
      } catch (RuntimeException | Error e) {
        // A bug in a backing stands for one in a driver, of which nobody sees more than this.
        return -Errno.EIO;
      }
    }

    private BlockRequest step(Command command, Part part, long offset) {
      Map.Entry<Long, Origin> entry = origins.floorEntry(part.address());
      if (entry == null) {
        throw new AssertionError("nobody submitted " + command);
      }
      Origin origin = entry.getValue();
      long done = part.address() - origin.address();
      if (origin.op() != command.op()
          || origin.offset() + done != offset
          || origin.length() - done != part.length()) {
        throw new AssertionError(command + " is no rest of " + origin);
      }
      BlockRequest step =
          new BlockRequest(new CompletionQueue(0, Runnable::run))
              .prepare(
                  origin.op(),
                  origin.offset(),
                  origin.length(),
                  origin.address(),
                  origin.flags(),
                  BlockRequest.NO_DEADLINE,
                  (ended, result) -> {});
      if (done > 0) {
        step.advance(done);
      }
      return step;
    }

    @Override
    public int reap(int[] slots, long[] results) {
      reaps.incrementAndGet();
      int count = 0;
      while (count < slots.length) {
        Event event = events.poll();
        if (event == null) {
          break;
        }
        slots[count] = event.slot();
        results[count] = event.result();
        count++;
      }
      return count;
    }

    @Override
    public boolean reapsInUserSpace() {
      return true;
    }

    @Override
    public void close() {
      contexts.decrementAndGet();
      if (running.get() != 0 || !events.isEmpty()) {
        failures.add(new AssertionError("closed with commands in it"));
      }
      threads.shutdown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns what went wrong, as text; empty if nothing did. */
  public String complaints() {
    List<String> texts = new ArrayList<>();
    failures.forEach(failure -> texts.add(String.valueOf(failure.getMessage())));
    return String.join("; ", texts);
  }
}

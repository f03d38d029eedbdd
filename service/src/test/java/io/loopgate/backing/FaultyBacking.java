package io.loopgate.backing;

import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A backing that fails, shortens or holds commands as told, and otherwise does what the one below
 * does. Faults may be added and removed at any time from any thread; the first that matches is the
 * one that acts.
 */
public final class FaultyBacking implements Backing {
  private static final long HELD_SECONDS_MAX = 60;

  private final Backing below;
  private final List<Fault> faults = new CopyOnWriteArrayList<>();
  private final AtomicLong executed = new AtomicLong();
  private final AtomicLong tried = new AtomicLong();
  private volatile long stepBytesMax = Long.MAX_VALUE;
  private volatile long forcedTry;
  private volatile Gate gate = Gate.OPEN;

  /** Wraps a backing, which is closed with this one. */
  public FaultyBacking(Backing below) {
    this.below = below;
  }

  /**
   * One programmed failure: from the {@code first}-th match on (counted from 1), {@code times}
   * times.
   */
  private static final class Fault {
    private final Predicate<BlockRequest> matches;
    private final int errno;
    private final int first;
    private final int times;
    private final AtomicInteger seen = new AtomicInteger();

    Fault(Predicate<BlockRequest> matches, int errno, int first, int times) {
      this.matches = matches;
      this.errno = errno;
      this.first = first;
      this.times = times;
    }

    boolean strikes(BlockRequest request) {
      if (!matches.test(request)) {
        return false;
      }
      int count = seen.incrementAndGet();
      return count >= first && count - first < times;
    }
  }

  /** Holds commands until it is released. */
  public static final class Gate {
    private static final Gate OPEN = new Gate(request -> false);

    private final Predicate<BlockRequest> holds;
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final Object changes = new Object();

    private Gate(Predicate<BlockRequest> holds) {
      this.holds = holds;
    }

    /** Lets everything through, now and from now on. */
    public void release() {
      released.countDown();
    }

    /** Returns how many commands are held. */
    public int waiting() {
      return waiting.get();
    }

    /** Waits until so many commands are held at once. */
    public void awaitWaiting(int count) throws InterruptedException {
      long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(HELD_SECONDS_MAX);
      synchronized (changes) {
        while (waiting.get() < count) {
          long leftNanos = deadlineNanos - System.nanoTime();
          if (leftNanos <= 0) {
            throw new AssertionError("held " + waiting.get() + " commands and not " + count);
          }
          TimeUnit.NANOSECONDS.timedWait(changes, leftNanos);
        }
      }
    }

    private void pass(BlockRequest request) {
      if (released.getCount() == 0 || !holds.test(request)) {
        return;
      }
      synchronized (changes) {
        waiting.incrementAndGet();
        changes.notifyAll();
      }
      try {
        if (!released.await(HELD_SECONDS_MAX, TimeUnit.SECONDS)) {
          throw new AssertionError("never released: " + request);
        }
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      } finally {
        waiting.decrementAndGet();
      }
    }
  }

  /** Fails every command of a kind. */
  public FaultyBacking failAll(BlockOp op, int errno) {
    return fail(request -> request.op() == op, errno, 1, Integer.MAX_VALUE);
  }

  /** Fails the n-th step (counted from 1, from now on) of a kind, once. */
  public FaultyBacking failNth(BlockOp op, int n, int errno) {
    return fail(request -> request.op() == op, errno, n, 1);
  }

  /** Fails every step of a kind whose remaining range holds an offset. */
  public FaultyBacking failAt(BlockOp op, long offsetBytes, int errno) {
    return fail(
        request ->
            request.op() == op
                && request.remainingOffsetBytes() <= offsetBytes
                && offsetBytes < request.remainingOffsetBytes() + request.remainingBytes(),
        errno,
        1,
        Integer.MAX_VALUE);
  }

  /** Fails all flushes, as a device does that lost what it had promised. */
  public FaultyBacking failFlush(int errno) {
    return failAll(BlockOp.FLUSH, errno);
  }

  /** Fails what matches, from the {@code first}-th match on, {@code times} times. */
  public FaultyBacking fail(Predicate<BlockRequest> matches, int errno, int first, int times) {
    faults.add(new Fault(matches, errno, first, times));
    return this;
  }

  /** Forgets all faults. */
  public FaultyBacking heal() {
    faults.clear();
    stepBytesMax = Long.MAX_VALUE;
    forcedTry = 0;
    return this;
  }

  /** Bounds what one step moves, so that transfers become short. */
  public FaultyBacking shortenTo(long bytesPerStep) {
    stepBytesMax = bytesPerStep;
    return this;
  }

  /**
   * Lets every try answer this; {@link Errno#EAGAIN} and {@link Errno#EOPNOTSUPP} are the ordinary
   * ones.
   */
  public FaultyBacking forceTry(int errno) {
    forcedTry = -errno;
    return this;
  }

  /**
   * Holds every command that comes from now on, in the thread that executes it. A gate that a newer
   * one replaces still holds what it holds, until it is released itself.
   */
  public Gate hold() {
    return hold(request -> true);
  }

  /** Holds the commands that match from now on; tries are never held. */
  public Gate hold(Predicate<BlockRequest> holds) {
    Gate closed = new Gate(holds);
    gate = closed;
    return closed;
  }

  /** Releases the latest gate. */
  public void release() {
    gate.release();
  }

  /** Returns how many steps were executed, failed ones included. */
  public long executed() {
    return executed.get();
  }

  /** Returns how many tries were made. */
  public long tried() {
    return tried.get();
  }

  @Override
  public long execute(BlockRequest request) {
    executed.incrementAndGet();
    gate.pass(request);
    for (Fault fault : faults) {
      if (fault.strikes(request)) {
        return -fault.errno;
      }
    }
    if (request.op() == BlockOp.FLUSH || request.remainingBytes() <= stepBytesMax) {
      return below.execute(request);
    }
    return below.execute(shortened(request));
  }

  private BlockRequest shortened(BlockRequest request) {
    int flags =
        (request.isFua() ? BlockRequest.FUA : 0)
            | (request.mayUnmap() ? BlockRequest.MAY_UNMAP : 0);
    return new BlockRequest(request.home())
        .prepare(
            request.op(),
            request.remainingOffsetBytes(),
            stepBytesMax,
            request.remainingAddress(),
            flags,
            BlockRequest.NO_DEADLINE,
            (ended, result) -> {});
  }

  @Override
  public long tryNow(BlockRequest request) {
    tried.incrementAndGet();
    if (forcedTry != 0) {
      return forcedTry;
    }
    return request.remainingBytes() <= stepBytesMax
        ? below.tryNow(request)
        : below.tryNow(shortened(request));
  }

  @Override
  public Geometry geometry() {
    return below.geometry();
  }

  @Override
  public BackingCapabilities capabilities() {
    return below.capabilities();
  }

  @Override
  public String description() {
    return "faulty " + below.description();
  }

  @Override
  public boolean readOnly() {
    return below.readOnly();
  }

  @Override
  public String identity() {
    return below.identity();
  }

  @Override
  public Extent extentAt(long offsetBytes) {
    return below.extentAt(offsetBytes);
  }

  @Override
  public long allocatedBytes() {
    return below.allocatedBytes();
  }

  @Override
  public void resize(long newSizeBytes) {
    below.resize(newSizeBytes);
  }

  @Override
  public void close() {
    gate.release();
    below.close();
  }
}

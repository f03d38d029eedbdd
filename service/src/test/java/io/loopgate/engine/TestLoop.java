package io.loopgate.engine;

import io.loopgate.block.CompletionSink;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** An event loop for tests: one thread, tasks in order, and a count of them. */
public final class TestLoop implements LoopContext, AutoCloseable {
  private static final long SECONDS_MAX = 30;

  private final int index;
  private final ScheduledExecutorService executor;
  private final CompletionQueue completions;
  private final AtomicInteger tasks = new AtomicInteger();
  private final Thread thread;

  /** Starts a loop that is a thread and a queue. */
  public TestLoop(int index) {
    this(index, Executors.newSingleThreadScheduledExecutor());
  }

  /** Starts a loop of Netty's, for engines that need one. */
  public TestLoop(int index, IoHandlerFactory factory) {
    this(index, new MultiThreadIoEventLoopGroup(1, factory).next());
  }

  private TestLoop(int index, ScheduledExecutorService executor) {
    this.index = index;
    this.executor = executor;
    this.completions = new CompletionQueue(index, this::execute);
    this.thread = call(Thread::currentThread);
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public void execute(Runnable task) {
    tasks.incrementAndGet();
    executor.execute(task);
  }

  @Override
  public void schedule(Runnable task, long delayNanos) {
    tasks.incrementAndGet();
    var _ = executor.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public CompletionSink completions() {
    return completions;
  }

  @Override
  public <T> Optional<T> unwrap(Class<T> type) {
    return type.isInstance(executor) ? Optional.of(type.cast(executor)) : Optional.empty();
  }

  /** Returns how many tasks were handed to the loop so far. */
  public int tasks() {
    return tasks.get();
  }

  /** Tells whether the caller is on this loop. */
  public boolean isHere() {
    return Thread.currentThread() == thread;
  }

  /** Runs something on the loop and returns what it returns. */
  public <T> T call(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    executor.execute(task);
    try {
      return task.get(SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed on the loop", e.getCause());
    } catch (TimeoutException | InterruptedException e) {
      throw new AssertionError("stuck on the loop", e);
    }
  }

  /** Runs something on the loop and waits for its end. */
  public void run(Runnable work) {
    call(
        () -> {
          work.run();
          return true;
        });
  }

  /** Occupies the loop until the latch is counted down. */
  public CountDownLatch hold() {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch occupied = new CountDownLatch(1);
    executor.execute(
        () -> {
          occupied.countDown();
          awaitLatch(release);
        });
    awaitLatch(occupied);
    return release;
  }

  /** Waits for a latch; fails after half a minute. */
  public static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new AssertionError("never counted down: " + latch);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    if (executor instanceof EventExecutor netty) {
      var _ = netty.shutdownGracefully(0, SECONDS_MAX, TimeUnit.SECONDS);
    } else {
      executor.shutdown();
    }
  }
}

package io.loopgate.engine;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lane with platform threads of its own, since a blocking system call would pin a virtual
 * thread's carrier.
 *
 * <p>Each of the first commands starts one thread, up to their number: a lane that nobody uses has
 * none, and no command ever waits for a thread that could have been started.
 */
public final class ThreadLane implements CommandLane {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadLane.class);

  private final String name;
  private final int threadCount;
  private final EngineCommands commands;
  private final CommandQueue queue;
  private final @Nullable Plug[] plugs;
  private final AtomicInteger started = new AtomicInteger();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Creates a lane of up to {@code threadCount} threads, named {@code name-0} and so on. */
  public ThreadLane(
      String name, int threadCount, EngineEnvironment environment, EngineCommands commands) {
    this.name = name;
    this.threadCount = threadCount;
    this.commands = commands;
    this.queue = new CommandQueue(environment.queueCapacity());
    this.plugs = plugs(environment.loops(), queue);
  }

  private static @Nullable Plug[] plugs(List<LoopContext> loops, CommandQueue queue) {
    int most = loops.stream().mapToInt(LoopContext::index).max().orElse(-1);
    @Nullable Plug[] made = new @Nullable Plug[most + 1];
    for (LoopContext loop : loops) {
      made[loop.index()] = new Plug(loop, queue);
    }
    return made;
  }

  @Override
  public boolean offer(BlockRequest request) {
    if (!add(request)) {
      return false;
    }
    queue.wake();
    return true;
  }

  @Override
  public boolean offerInTurn(BlockRequest request) {
    int index = request.home().loopIndex();
    Plug plug = index >= 0 && index < plugs.length ? plugs[index] : null;
    if (plug == null) {
      return offer(request);
    }
    if (!add(request)) {
      return false;
    }
    plug.added();
    return true;
  }

  private boolean add(BlockRequest request) {
    if (started.get() < threadCount && !startOne()) {
      return false;
    }
    if (!queue.add(request)) {
      return false;
    }
    if (closed) {
      endQueued();
    }
    return true;
  }

  /** Returns whether there is a thread, be it a new one or not. */
  private boolean startOne() {
    int number = started.get();
    while (!started.compareAndSet(number, number + 1)) {
      number = started.get();
      if (number >= threadCount) {
        return true;
      }
    }
    try {
      threads.add(Thread.ofPlatform().name(name + "-" + number).daemon(true).start(this::work));
    } catch (OutOfMemoryError e) {
      // What the JVM says when the system has no more threads.
      boolean others = started.decrementAndGet() > 0;
      LOG.error("no thread for {}{}", name, others ? "; it goes on with those it has" : "", e);
      return others;
    }
    if (closed) {
      threads.forEach(Thread::interrupt);
    }
    return true;
  }

  private void work() {
    try {
      while (true) {
        commands.run(queue.take());
      }
    } catch (InterruptedException e) {
      // The engine is closing: whatever is still queued is ended by close().
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    endQueued();
  }

  private void endQueued() {
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      commands.end(left, -Errno.CLOSED);
    }
  }
}

package io.loopgate.engine.virtual;

import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import io.loopgate.engine.CommandLane;
import io.loopgate.engine.CommandQueue;
import io.loopgate.engine.EngineCommands;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A lane that starts a virtual thread for each command, and so many at a time. */
final class VirtualLane implements CommandLane {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualLane.class);

  private final int limit;
  private final EngineCommands commands;
  private final CommandQueue queue;
  private final ThreadFactory threads;
  private final AtomicInteger running = new AtomicInteger();

  VirtualLane(String name, int limit, int capacity, EngineCommands commands) {
    this.limit = limit;
    this.commands = commands;
    this.queue = new CommandQueue(capacity);
    this.threads = Thread.ofVirtual().name(name).factory();
  }

  @Override
  public boolean offer(BlockRequest request) {
    if (!queue.add(request)) {
      return false;
    }
    startNext();
    return true;
  }

  /** Starts what waits, as far as the limit allows. */
  private void startNext() {
    // Looked at again after each end and each offer: one of both sees the other.
    while (queue.size() > 0 && enter()) {
      BlockRequest next = queue.poll();
      if (next == null) {
        running.decrementAndGet();
      } else {
        start(next);
      }
    }
  }

  private boolean enter() {
    int now = running.get();
    while (now < limit) {
      if (running.compareAndSet(now, now + 1)) {
        return true;
      }
      now = running.get();
    }
    return false;
  }

  private void start(BlockRequest request) {
    try {
      threads.newThread(() -> run(request)).start();
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      LOG.error("no virtual thread for {}; it is answered as EIO", request, e);
      running.decrementAndGet();
      commands.end(request, -Errno.EIO);
    }
  }

  private void run(BlockRequest request) {
    try {
      commands.run(request);
    } finally {
      running.decrementAndGet();
      startNext();
    }
  }

  @Override
  public void close() {
    for (BlockRequest left = queue.poll(); left != null; left = queue.poll()) {
      commands.end(left, -Errno.CLOSED);
    }
  }
}

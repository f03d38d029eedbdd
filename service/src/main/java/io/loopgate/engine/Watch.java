package io.loopgate.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that looks after something again and again while there is something to look after, and
 * sleeps else.
 *
 * <p>For nobody tells user space that a thread went to sleep in a system call, as the scheduler
 * tells the kernel's work queues: one has to look.
 */
public final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  /** How many looks in vain before it sleeps; to be woken costs more than a look. */
  private static final int QUIET_LOOKS = 50;

  private final String name;
  private final long intervalNanos;
  private final BooleanSupplier look;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile @Nullable Thread thread;
  private volatile boolean asleep;

  /**
   * Creates a watch that does nothing yet.
   *
   * @param name of its thread
   * @param look looks once; returns whether there is something to look after
   */
  public Watch(String name, Duration interval, BooleanSupplier look) {
    this.name = name;
    this.intervalNanos = interval.toNanos();
    this.look = look;
  }

  /** Starts it, if it was not yet; it never ends. For control threads. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      thread = Thread.ofPlatform().name(name).daemon(true).start(this::watch);
    }
  }

  /**
   * Has it look soon, for there is something to look after now: to be called after that became
   * visible to it. Never blocks; any thread.
   */
  public void wake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  private void watch() {
    int quietLooks = 0;
    while (true) {
      LockSupport.parkNanos(this, intervalNanos);
      quietLooks = look() ? 0 : quietLooks + 1;
      if (quietLooks >= QUIET_LOOKS) {
        sleep();
        quietLooks = 0;
      }
    }
  }

  private void sleep() {
    // Said before the last look: what comes after it finds this thread asleep, and wakes it.
    asleep = true;
    if (!look()) {
      LockSupport.park(this);
    }
    asleep = false;
  }

  private boolean look() {
    try {
      return look.getAsBoolean();
    } catch (RuntimeException | Error e) {
      Failures.handle(LOG, "{} failed", name, e);
      return true;
    }
  }
}

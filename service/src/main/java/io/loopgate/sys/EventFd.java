package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.loopgate.block.Errno;

/**
 * A counter of the kernel that can be waited for: each signal adds one, a wait takes all.
 *
 * <p>Belongs to its creator, who closes it when nobody waits for it and nothing signals it any
 * more. {@link #signal} and {@link #await} may be called from every thread.
 */
public final class EventFd implements AutoCloseable {
  private static final EventFd NONE = new EventFd(-1);

  private final int fd;

  private EventFd(int fd) {
    this.fd = fd;
  }

  /**
   * Makes one.
   *
   * @throws SystemCallException if there are too many open files
   */
  public static EventFd create() {
    SystemCallsHolder.require();
    CallFrame frame = CallFrame.acquire();
    try {
      long result =
          frame.result(
              (int) AioHandles.EVENTFD.invokeExact(frame.state, 0, LinuxConstants.EFD_CLOEXEC));
      if (result < 0) {
        throw new SystemCallException("eventfd", result);
      }
      return new EventFd((int) result);
    } catch (Throwable failure) {
      throw LinuxSystemCalls.unexpected(failure);
    } finally {
      frame.release();
    }
  }

  /** Returns the one that is none: nothing can be waited for, and signals go nowhere. */
  public static EventFd none() {
    return NONE;
  }

  /** Tells whether there is one. */
  public boolean exists() {
    return fd >= 0;
  }

  /** Returns the descriptor, or -1 where there is none. */
  public int fd() {
    return fd;
  }

  /** Adds one and wakes who waits. Never blocks: the counter has 64 bits. */
  public void signal() {
    if (!exists()) {
      return;
    }
    CallFrame frame = CallFrame.acquire();
    try {
      frame.scratch.set(JAVA_LONG, 0, 1);
      frame.result(
          (long)
              AioHandles.WRITE.invokeExact(frame.state, fd, frame.scratchAddress, 0L + Long.BYTES));
    } catch (Throwable failure) {
      throw LinuxSystemCalls.unexpected(failure);
    } finally {
      frame.release();
    }
  }

  /**
   * Waits until there was a signal, and takes all there were; blocks.
   *
   * @return whether there was one; false if the wait was broken off
   */
  public boolean await() {
    CallFrame frame = CallFrame.acquire();
    try {
      long result =
          frame.result(
              (long)
                  AioHandles.READ.invokeExact(
                      frame.state, fd, frame.scratchAddress, 0L + Long.BYTES));
      if (result < 0 && result != -Errno.EINTR) {
        throw new SystemCallException("read of an eventfd", result);
      }
      return result > 0;
    } catch (Throwable failure) {
      throw LinuxSystemCalls.unexpected(failure);
    } finally {
      frame.release();
    }
  }

  @Override
  public void close() {
    if (exists()) {
      SystemCalls.instance().close(fd);
    }
  }
}

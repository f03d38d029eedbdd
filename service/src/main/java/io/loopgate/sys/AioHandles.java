package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * What native asynchronous I/O needs of the C library; linked when it is first asked for. The calls
 * themselves have no wrapper there, so they go through {@code syscall}.
 */
final class AioHandles {
  static final MethodHandle SYSCALL =
      LinuxHandles.variadic(
          "syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
          JAVA_LONG);
  static final MethodHandle EVENTFD =
      LinuxHandles.function("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle READ =
      LinuxHandles.function("read", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  static final MethodHandle WRITE =
      LinuxHandles.function("write", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);

  private AioHandles() {}

  static long syscall(long number, long first, long second) {
    return syscall(number, first, second, 0, 0, 0);
  }

  static long syscall(long number, long first, long second, long third) {
    return syscall(number, first, second, third, 0, 0);
  }

  static long syscall(long number, long first, long second, long third, long fourth, long fifth) {
    CallFrame frame = CallFrame.acquire();
    try {
      return frame.result(
          (long) SYSCALL.invokeExact(frame.state, number, first, second, third, fourth, fifth));
    } catch (Throwable failure) {
      throw LinuxSystemCalls.unexpected(failure);
    } finally {
      frame.release();
    }
  }
}

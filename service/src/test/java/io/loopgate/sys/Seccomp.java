package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Lets the kernel refuse system calls to this process, as the profile of a container does. */
public final class Seccomp {
  private static final long PR_SET_NO_NEW_PRIVS = 38;
  private static final long SECCOMP_SET_MODE_FILTER = 1;
  private static final long SECCOMP_FILTER_FLAG_TSYNC = 1;
  private static final int SECCOMP_RET_ALLOW = 0x7FFF_0000;
  private static final int SECCOMP_RET_ERRNO = 0x0005_0000;

  /** Load a word; jump if equal; return. */
  private static final short BPF_LD_W_ABS = 0x20;

  private static final short BPF_JMP_JEQ_K = 0x15;
  private static final short BPF_RET_K = 0x06;
  private static final int FILTER_BYTES = 8;

  private Seccomp() {}

  /**
   * Refuses these calls to all threads of this process, for good.
   *
   * @param errno what they answer
   * @param numbers of the calls on this machine
   */
  public static void refuse(int errno, int... numbers) throws Throwable {
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    long prctl = arm ? 167 : 157;
    long seccomp = arm ? 277 : 317;
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment filter = arena.allocate((numbers.length + 3L) * FILTER_BYTES, Long.BYTES);
      // The number of the call is the first word of struct seccomp_data.
      put(filter, 0, BPF_LD_W_ABS, 0, 0);
      for (int i = 0; i < numbers.length; i++) {
        put(filter, i + 1, BPF_JMP_JEQ_K, numbers.length - i, numbers[i]);
      }
      put(filter, numbers.length + 1, BPF_RET_K, 0, SECCOMP_RET_ALLOW);
      put(filter, numbers.length + 2, BPF_RET_K, 0, SECCOMP_RET_ERRNO | errno);
      MemorySegment program = arena.allocate(16, Long.BYTES);
      program.set(JAVA_SHORT, 0, (short) (numbers.length + 3));
      program.set(JAVA_LONG, 8, filter.address());
      check((long) call.invokeExact(prctl, PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L));
      check(
          (long)
              call.invokeExact(
                  seccomp,
                  SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_TSYNC,
                  program.address(),
                  0L,
                  0L));
    }
  }

  private static void put(MemorySegment filter, int index, short code, int skipIfEqual, int value) {
    long at = (long) index * FILTER_BYTES;
    filter.set(JAVA_SHORT, at, code);
    filter.set(JAVA_BYTE, at + 2, (byte) skipIfEqual);
    filter.set(JAVA_BYTE, at + 3, (byte) 0);
    filter.set(JAVA_INT, at + 4, value);
  }

  private static void check(long result) {
    if (result != 0) {
      throw new IllegalStateException("the kernel takes no filter: " + result);
    }
  }
}

package io.loopgate.sys;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The functions of the C library, linked once. Pointers are plain addresses, so no segment is made
 * per call; the first argument of each is the segment that captures {@code errno}. None is {@code
 * critical}: all may wait, and a critical one would hold up every safepoint meanwhile.
 */
final class LinuxHandles {
  static final MethodHandle OPEN = variadic("open", 2, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
  static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
  static final MethodHandle PREADV2 =
      function("preadv2", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle PWRITEV2 =
      function("pwritev2", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle FALLOCATE =
      function("fallocate", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  static final MethodHandle FDATASYNC = function("fdatasync", JAVA_INT, JAVA_INT);
  static final MethodHandle FSYNC = function("fsync", JAVA_INT, JAVA_INT);
  static final MethodHandle FTRUNCATE = function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle STATX =
      function("statx", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle LSEEK = function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
  static final MethodHandle FLOCK = function("flock", JAVA_INT, JAVA_INT, JAVA_INT);
  static final MethodHandle FADVISE =
      function("posix_fadvise", JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  static final MethodHandle FSTATFS = function("fstatfs", JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle IOCTL = variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  static final MethodHandle GETRUSAGE = function("getrusage", JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle POSIX_MEMALIGN =
      function("posix_memalign", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
  static final MethodHandle FREE =
      link("free", FunctionDescriptor.ofVoid(JAVA_LONG), Linker.Option.captureCallState("errno"));

  static final MethodHandle MMAP =
      function("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  static final MethodHandle MADVISE = function("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  static final MethodHandle MUNMAP = function("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);

  private LinuxHandles() {}

  static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name, FunctionDescriptor.of(result, arguments), Linker.Option.captureCallState("errno"));
  }

  /**
   * Links a function whose arguments from {@code firstVariadic} on are passed by the rules for
   * {@code "..."}.
   */
  static MethodHandle variadic(
      String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
    return link(
        name,
        FunctionDescriptor.of(result, arguments),
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(firstVariadic));
  }

  private static MethodHandle link(
      String name, FunctionDescriptor shape, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol =
        linker
            .defaultLookup()
            .find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError("it has no " + name));
    List<Linker.Option> all = new ArrayList<>(List.of(options));
    return linker.downcallHandle(symbol, shape, all.toArray(Linker.Option[]::new));
  }
}

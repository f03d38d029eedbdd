package io.loopgate.sys;

import java.util.Locale;

/** Chooses the calls once, when they are first asked for. */
final class SystemCallsHolder {
  static final SystemCalls INSTANCE = choose();

  private SystemCallsHolder() {}

  private static SystemCalls choose() {
    String system = System.getProperty("os.name", "unknown");
    String machine = System.getProperty("os.arch", "unknown").toLowerCase(Locale.ROOT);
    boolean nativeAccess = SystemCalls.class.getModule().isNativeAccessEnabled();
    return choose(system, machine, nativeAccess);
  }

  /** Throws, with cause and remedy, where there are no system calls. */
  static void require() {
    if (INSTANCE instanceof RefusingSystemCalls refusing) {
      throw refusing.refusal();
    }
  }

  /**
   * Chooses for a named system; the twin is a choice like the other, so that starting never fails
   * here.
   */
  static SystemCalls choose(String system, String machine, boolean nativeAccess) {
    if (!system.equals("Linux")) {
      return new RefusingSystemCalls(
          "this system is " + system + " and not Linux",
          "run it on Linux, or in a Linux container");
    }
    if (!LinuxConstants.knowsMachine(machine)) {
      return new RefusingSystemCalls(
          "the call numbers of " + machine + " are not known", "run it on x86-64 or aarch64");
    }
    if (!nativeAccess) {
      return new RefusingSystemCalls(
          "this Java may not call native code",
          "start java with --enable-native-access=ALL-UNNAMED (java -jar loopgate.jar sets it by itself)");
    }
    try {
      return new LinuxSystemCalls();
    } catch (LinkageError | RuntimeException failure) {
      Throwable cause = failure.getCause() == null ? failure : failure.getCause();
      return new RefusingSystemCalls(
          "the C library cannot be called (" + cause.getMessage() + ")",
          "use glibc 2.28 or musl 1.2.5, or a newer one");
    }
  }
}

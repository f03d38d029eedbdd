package io.loopgate.bench.stats;

/**
 * What processors did, in seconds.
 *
 * @param userSeconds outside of the kernel
 * @param systemSeconds in the kernel
 * @param machinerySeconds of the virtual machine's own threads (compiler, collector), not in the
 *     two others
 * @param scope whose time it is
 */
public record CpuUse(
    double userSeconds, double systemSeconds, double machinerySeconds, Scope scope) {
  /** Whose time was counted. */
  public enum Scope {
    /** All threads of this process, but the virtual machine's own. */
    PROCESS,
    /** All threads of a server's processes; the virtual machine's own are not told apart. */
    SERVER,
    /** The jobs of fio, as fio counts them. */
    JOBS,
    /** Every processor of the machine: the work was done by threads of the kernel. */
    MACHINE,
    /** Nobody's: it could not be seen. */
    UNKNOWN
  }

  /** Processor time that could not be seen: no figure of it is a number. */
  public static final CpuUse NOT_SEEN =
      new CpuUse(Double.NaN, Double.NaN, Double.NaN, Scope.UNKNOWN);

  /** Returns user and system time together. */
  public double totalSeconds() {
    return userSeconds + systemSeconds;
  }

  /** Returns all of it, what the virtual machine took for itself included. */
  public double wholeSeconds() {
    return totalSeconds() + machinerySeconds;
  }

  /**
   * Returns what happened since an earlier reading. The sum is exact to a tick; the kernel only
   * samples how it divides into user and system, for threads and for the process apart, so that a
   * difference of both may fall below 0 by a little.
   */
  public CpuUse since(CpuUse earlier) {
    if (scope == Scope.UNKNOWN) {
      return this;
    }
    double total = Math.max(0, totalSeconds() - earlier.totalSeconds());
    double user = Math.clamp(userSeconds - earlier.userSeconds, 0, total);
    return new CpuUse(user, total - user, machinerySeconds - earlier.machinerySeconds, scope);
  }
}

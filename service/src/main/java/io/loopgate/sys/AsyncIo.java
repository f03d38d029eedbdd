package io.loopgate.sys;

/**
 * The kernel's native asynchronous I/O: a context with a fixed number of slots, each of which holds
 * one command at a time.
 *
 * <p>A slot is filled by one thread, handed over by {@link #submit}, and belongs to the kernel
 * until {@link #reap} returns it. Different slots may be filled and submitted by different threads
 * at once; only one thread may reap at a time, and its predecessor's work has to be visible to it.
 * Nothing is allocated after the context is made.
 */
public interface AsyncIo extends AutoCloseable {
  /** How many commands one {@link #submit} can hand over. */
  int SUBMIT_MAX = CallFrame.POINTERS_MAX;

  /** Makes a context; what engines are given, so that tests can give them another kernel. */
  @FunctionalInterface
  interface Kernel {
    /**
     * Makes a context of the real kernel or of another one.
     *
     * @param slots how many commands it can hold
     * @param partsMax of how many parts in memory one command may consist
     * @param signal is signalled after every command that ended, if it exists; stays the caller's
     * @throws SystemCallException if the kernel refuses
     */
    AsyncIo open(int slots, int partsMax, EventFd signal);
  }

  /**
   * Makes a context of the kernel of this machine.
   *
   * @throws SystemCallException {@code ENOSYS} or {@code EPERM} where a filter forbids it, {@code
   *     EAGAIN} where {@code fs.aio-max-nr} is used up
   * @throws UnsupportedOperationException where there are no system calls, with cause and remedy
   */
  static AsyncIo open(int slots, int partsMax, EventFd signal) {
    SystemCallsHolder.require();
    return LinuxAsyncIo.open(slots, partsMax, signal, true);
  }

  /**
   * Fills a slot with a transfer of one piece of memory.
   *
   * @param write whether to write; else to read
   * @param rwFlags a sum of {@code RWF_*}
   */
  void fill(
      int slot,
      boolean write,
      int fd,
      long address,
      long lengthBytes,
      long offsetBytes,
      int rwFlags);

  /** Sets a part of a slot that {@link #fillParts} is to transfer. */
  void part(int slot, int part, long address, long lengthBytes);

  /** Fills a slot with a transfer of its first {@code parts} parts, which lie one after another. */
  void fillParts(int slot, boolean write, int fd, int parts, long offsetBytes, int rwFlags);

  /**
   * Hands commands to the kernel, in order.
   *
   * @return how many it took, from the first on; or the negative error number of the first one,
   *     which it did not take. It may take fewer than {@code count}: ask again from there
   */
  int submit(int[] slots, int from, int count);

  /**
   * Takes commands that ended. Never blocks.
   *
   * @param slots where the numbers of their slots are put
   * @param results where their results are put: bytes, or negative error numbers; as long
   * @return how many; as many as fit if there may be more
   */
  int reap(int[] slots, long[] results);

  /** Tells whether looking for ended commands needs no system call. */
  boolean reapsInUserSpace();

  /** Gives the context back. The kernel must not have any command, and no thread may use it. */
  @Override
  void close();
}

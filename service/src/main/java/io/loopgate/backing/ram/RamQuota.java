package io.loopgate.backing.ram;

import com.sun.management.OperatingSystemMXBean;
import io.loopgate.backing.BackingException;
import io.loopgate.block.Errno;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory all volumes in memory may hold together. Their whole size counts, whether it is
 * written or not: whoever was promised a size may fill it. Any thread.
 */
final class RamQuota {
  /** The other half is for the heap, the buffers of clients, the page cache and everyone else. */
  private static final int SHARE = 2;

  private final long limitBytes;
  private final AtomicLong takenBytes = new AtomicLong();

  RamQuota(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  private static final class Machine {
    private static final RamQuota QUOTA = new RamQuota(memoryBytes() / SHARE);

    /** The memory of the machine, or of the container if that has less. */
    private static long memoryBytes() {
      return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }
  }

  static RamQuota ofMachine() {
    return Machine.QUOTA;
  }

  /** Takes a part of it; throws {@link BackingException} if there is not so much left. */
  void take(String name, long bytes) {
    long taken;
    do {
      taken = takenBytes.get();
      if (bytes > limitBytes - taken) {
        throw new BackingException(
            name
                + " is too large: volumes in memory may hold half of this machine's memory, which is "
                + mebibytes(limitBytes)
                + ", and "
                + mebibytes(limitBytes - taken)
                + " of that are free; ask for less, or name a file",
            Errno.ENOSPC);
      }
    } while (!takenBytes.compareAndSet(taken, taken + bytes));
  }

  void giveBack(long bytes) {
    takenBytes.addAndGet(-bytes);
  }

  long takenBytes() {
    return takenBytes.get();
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + "MiB";
  }
}

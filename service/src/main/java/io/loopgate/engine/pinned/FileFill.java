package io.loopgate.engine.pinned;

import static io.loopgate.sys.LinuxConstants.O_RDWR;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.block.Errno;
import io.loopgate.sys.SystemCalls;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a file whole: overwrites holes and unwritten blocks with the zeroes that they read as. For
 * one control thread, while nothing else writes to the file; blocks for as long as writing takes.
 *
 * <p>What was filled stays filled if it breaks off, and nothing reads differently.
 */
final class FileFill {
  private static final Logger LOG = LoggerFactory.getLogger(FileFill.class);
  private static final long REPORT_NANOS = Duration.ofSeconds(5).toNanos();

  private final SystemCalls calls;
  private final String volume;
  private final DescriptorBacking backing;
  private final ZeroWriter zeroes;
  private final long sizeBytes;
  private final long totalBytes;
  private long filledBytes;
  private long reportedNanos = System.nanoTime();

  private FileFill(SystemCalls calls, String volume, DescriptorBacking backing, long totalBytes) {
    this.calls = calls;
    this.volume = volume;
    this.backing = backing;
    this.zeroes = new ZeroWriter(backing);
    this.sizeBytes = backing.geometry().sizeBytes();
    this.totalBytes = totalBytes;
  }

  /**
   * Fills the file.
   *
   * @param totalBytes how much there is to fill, for the log
   * @throws BackingException if writing fails, with its number
   */
  static void fill(SystemCalls calls, String volume, DescriptorBacking backing, long totalBytes) {
    LOG.info(
        "volume {}: filling {} of {} bytes of {} with the zeroes they read as",
        volume,
        totalBytes,
        backing.geometry().sizeBytes(),
        backing.description());
    new FileFill(calls, volume, backing, totalBytes).run();
    LOG.info("volume {}: {} is written whole", volume, backing.description());
  }

  private void run() {
    long fromBytes = 0;
    while (true) {
      Optional<Offence> next = FileProof.next(calls, backing.fd(), fromBytes, sizeBytes);
      if (next.isEmpty()) {
        break;
      }
      Offence found = next.get();
      if (found.kind().isFillable()) {
        overwrite(found.offsetBytes(), found.lengthBytes());
      }
      fromBytes = found.offsetBytes() + found.lengthBytes();
    }
    check(flush(), sizeBytes);
  }

  /**
   * Through a descriptor of its own: a failure is told once to each, and the volume's flush has to
   * learn of it too.
   */
  private long flush() {
    long fd = calls.open("/proc/self/fd/" + backing.fd(), O_RDWR, 0);
    if (fd < 0) {
      return fd;
    }
    long result = calls.fdatasync((int) fd);
    calls.close((int) fd);
    return result;
  }

  private void overwrite(long offsetBytes, long lengthBytes) {
    long doneBytes = 0;
    while (doneBytes < lengthBytes) {
      long result = zeroes.step(offsetBytes + doneBytes, lengthBytes - doneBytes, 0);
      if (result != -Errno.EINTR) {
        check(result, offsetBytes + doneBytes);
        doneBytes += result;
        filledBytes += result;
        report();
      }
    }
  }

  private void check(long result, long offsetBytes) {
    if (result < 0) {
      throw new BackingException(
          "volume "
              + volume
              + ": filling "
              + backing.description()
              + " ended at offset "
              + offsetBytes
              + " after "
              + filledBytes
              + " of "
              + totalBytes
              + " bytes with "
              + Errno.name(-result)
              + "; its content is as it was, "
              + (Errno.isNoSpace(result)
                  ? "free space and open it again, or take aio"
                  : "see the kernel log"),
          (int) -result);
    }
  }

  private void report() {
    long now = System.nanoTime();
    if (now - reportedNanos > REPORT_NANOS) {
      reportedNanos = now;
      LOG.info("volume {}: {} of {} bytes are filled", volume, filledBytes, totalBytes);
    }
  }
}

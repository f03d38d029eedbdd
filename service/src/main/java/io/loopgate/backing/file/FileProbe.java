package io.loopgate.backing.file;

import static io.loopgate.sys.LinuxConstants.FALLOC_FL_KEEP_SIZE;
import static io.loopgate.sys.LinuxConstants.FALLOC_FL_PUNCH_HOLE;
import static io.loopgate.sys.LinuxConstants.FALLOC_FL_ZERO_RANGE;
import static io.loopgate.sys.LinuxConstants.O_DIRECT;
import static io.loopgate.sys.LinuxConstants.O_RDWR;
import static io.loopgate.sys.LinuxConstants.O_TMPFILE;
import static io.loopgate.sys.LinuxConstants.RWF_DSYNC;
import static io.loopgate.sys.LinuxConstants.RWF_NOWAIT;
import static io.loopgate.sys.LinuxConstants.SEEK_DATA;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.SystemCalls;
import java.nio.file.Path;

/**
 * Finds out by trying what a file can do. Reads are tried on the file itself; everything that
 * changes something on a nameless scratch file beside it, opened the same way, so that neither
 * content nor times of the image change.
 */
final class FileProbe {
  private static final int SCRATCH_BYTES = 1 << 16;
  private static final int OWNER_ONLY = 0600;
  private static final Support READ_ONLY = Support.no("opened for reading only");
  private static final Support STABLE =
      Support.yes("a flush brings the file to the media of its file system");

  /**
   * How often a write that does not wait is tried before it is said never to come: one may meet a
   * moment in which the file system is busy (gh:cowsql/raft#53), all of them hardly do.
   */
  private static final int WRITE_TRIES = 8;

  private final OpenFile file;
  private final SystemCalls calls;
  private final String fileSystem;
  private final boolean direct;

  private FileProbe(OpenFile file) {
    this.file = file;
    this.calls = file.calls();
    this.fileSystem = file.fileSystem();
    this.direct = file.options().direct();
  }

  static BackingCapabilities probe(OpenFile file, Support direct) {
    return new FileProbe(file).probe(direct);
  }

  private BackingCapabilities probe(Support directSupport) {
    try (AlignedMemory memory = AlignedMemory.allocate(SCRATCH_BYTES, SCRATCH_BYTES)) {
      Support nowaitRead = nowaitRead(memory);
      Support extents = extents();
      if (file.options().readOnly()) {
        return new BackingCapabilities(
            nowaitRead,
            READ_ONLY,
            directSupport,
            READ_ONLY,
            READ_ONLY,
            READ_ONLY,
            STABLE,
            extents,
            false);
      }
      long scratch = openScratch();
      if (scratch < 0) {
        return assumed(nowaitRead, directSupport, extents, scratch);
      }
      try {
        return onScratch((int) scratch, memory, nowaitRead, directSupport, extents);
      } finally {
        calls.close((int) scratch);
      }
    }
  }

  /** Not now is an answer of a file that can: it is not in the cache, or being written. */
  private Support nowaitRead(AlignedMemory memory) {
    long lengthBytes = direct ? Math.min(SCRATCH_BYTES, file.status().sizeBytes()) : 1;
    long result = calls.pread(file.fd(), memory.address(), lengthBytes, 0, RWF_NOWAIT);
    return result >= 0 || result == -Errno.EAGAIN ? takesNowait("reads") : refusal(result, "reads");
  }

  /**
   * Blocks are overwritten that were written a moment ago, so nothing could be readier. Not even
   * the times of the file: on XFS and btrfs, from Linux 6.0 up to 7.0, updating them counts as
   * waiting, which leaves those writes that come within a tick of the clock after one that waited.
   */
  private Support nowaitWrite(int scratch, long address) {
    long result = -Errno.EAGAIN;
    for (int i = 0; result == -Errno.EAGAIN && i < WRITE_TRIES; i++) {
      calls.pwrite(scratch, address, SCRATCH_BYTES, 0, 0);
      result = calls.pwrite(scratch, address, SCRATCH_BYTES, 0, RWF_NOWAIT);
    }
    if (result == -Errno.EAGAIN) {
      return Support.no(fileSystem + " answers EAGAIN even to overwrites of written blocks");
    }
    return result >= 0 ? takesNowait("writes") : refusal(result, "writes");
  }

  private Support takesNowait(String what) {
    return Support.yes(fileSystem + " takes RWF_NOWAIT on " + cached() + what);
  }

  private Support refusal(long result, String what) {
    if (result == -Errno.EPERM || result == -Errno.ENOSYS) {
      return Support.no(
          "a seccomp filter or the kernel blocks preadv2 and pwritev2: " + Errno.name(-result));
    }
    return Support.no(
        fileSystem + " refuses RWF_NOWAIT on " + cached() + what + ": " + Errno.name(-result));
  }

  private String cached() {
    return direct ? "direct " : "buffered ";
  }

  private Support extents() {
    long result = calls.lseek(file.fd(), 0, SEEK_DATA);
    return result >= 0 || result == -Errno.ENXIO
        ? Support.yes(fileSystem + " knows SEEK_DATA")
        : Support.no(fileSystem + " does not know SEEK_DATA: " + Errno.name(-result));
  }

  private long openScratch() {
    Path directory = file.path().toAbsolutePath().getParent();
    return directory == null
        ? -Errno.ENOENT
        : calls.open(
            directory.toString(), O_TMPFILE | O_RDWR | (direct ? O_DIRECT : 0), OWNER_ONLY);
  }

  private BackingCapabilities onScratch(
      int scratch, AlignedMemory memory, Support nowaitRead, Support direct, Support extents) {
    long address = memory.address();
    long dsync = calls.pwrite(scratch, address, SCRATCH_BYTES, 0, RWF_DSYNC);
    Support nowaitWrite = nowaitWrite(scratch, address);
    long half = SCRATCH_BYTES / 2;
    long zero = calls.fallocate(scratch, FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE, 0, half);
    long punch = calls.fallocate(scratch, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, half, half);
    return new BackingCapabilities(
        nowaitRead,
        nowaitWrite,
        direct,
        learnt(punch, "FALLOC_FL_PUNCH_HOLE", "zeroes are written"),
        learnt(zero, "FALLOC_FL_ZERO_RANGE", "zeroes are written"),
        learnt(dsync, "RWF_DSYNC", "a flush follows the write"),
        STABLE,
        extents,
        false);
  }

  private Support learnt(long result, String what, String instead) {
    return result >= 0
        ? Support.yes(fileSystem + " knows " + what)
        : Support.no(
            fileSystem + " refuses " + what + ": " + Errno.name(-result) + ", so " + instead);
  }

  private BackingCapabilities assumed(
      Support nowaitRead, Support directSupport, Support extents, long failure) {
    String why = "no scratch file beside the image (" + Errno.name(-failure) + ")";
    Support untried = Support.yes("not tried, " + why + "; learnt when first used");
    Support nowaitWrite;
    if (!direct && fileSystem.equals("ext4")) {
      nowaitWrite = Support.no("ext4 refuses RWF_NOWAIT on buffered writes");
    } else if (!nowaitRead.available()) {
      nowaitWrite = Support.no(nowaitRead.reason());
    } else {
      nowaitWrite = untried;
    }
    return new BackingCapabilities(
        nowaitRead, nowaitWrite, directSupport, untried, untried, untried, STABLE, extents, false);
  }
}

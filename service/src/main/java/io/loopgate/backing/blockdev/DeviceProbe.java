package io.loopgate.backing.blockdev;

import static io.loopgate.sys.LinuxConstants.RWF_NOWAIT;

import io.loopgate.backing.BackingCapabilities;
import io.loopgate.backing.Support;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.block.Errno;
import io.loopgate.sys.AlignedMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Finds out what a block device can do. Nothing is written to it: what only a write could tell is
 * taken from sysfs, or learnt when it is first used.
 */
final class DeviceProbe {
  /** More than any device asks a transfer to be aligned to. */
  private static final int MEMORY_BYTES = 1 << 16;

  private static final Support READ_ONLY = Support.no("opened for reading only");
  private static final Support STABLE =
      Support.yes("a flush brings everything to the media of the device");
  private static final Support NO_EXTENTS =
      Support.no("a block device does not tell holes from data");
  private static final Support NO_NOWAIT_WRITE =
      Support.no("the kernel refuses RWF_NOWAIT on buffered writes to block devices");

  private DeviceProbe() {}

  static BackingCapabilities probe(OpenFile file, int alignmentBytes) {
    boolean direct = file.options().direct();
    Support directSupport =
        direct
            ? Support.yes("the device takes direct I/O in units of " + alignmentBytes)
            : Support.no("opened through the page cache");
    Support nowaitRead = nowaitRead(file, direct ? alignmentBytes : 1);
    if (file.options().readOnly()) {
      return new BackingCapabilities(
          nowaitRead,
          READ_ONLY,
          directSupport,
          READ_ONLY,
          READ_ONLY,
          READ_ONLY,
          STABLE,
          NO_EXTENTS,
          false);
    }
    Support zeroing = zeroing(file.status().deviceNumber());
    return new BackingCapabilities(
        nowaitRead,
        direct ? nowaitWrite(nowaitRead) : NO_NOWAIT_WRITE,
        directSupport,
        zeroing,
        zeroing,
        Support.yes("the kernel knows RWF_DSYNC on block devices"),
        STABLE,
        NO_EXTENTS,
        false);
  }

  private static Support nowaitRead(OpenFile file, int lengthBytes) {
    String reads = lengthBytes == 1 ? "buffered reads" : "direct reads";
    long result;
    try (AlignedMemory memory = AlignedMemory.allocate(MEMORY_BYTES, MEMORY_BYTES)) {
      result = file.calls().pread(file.fd(), memory.address(), lengthBytes, 0, RWF_NOWAIT);
    }
    return result >= 0 || result == -Errno.EAGAIN
        ? Support.yes("the block device takes RWF_NOWAIT on " + reads)
        : Support.no(
            "the block device refuses RWF_NOWAIT on " + reads + ": " + Errno.name(-result));
  }

  /** One gate lets both in: that the open device knows the flag. */
  private static Support nowaitWrite(Support nowaitRead) {
    return nowaitRead.available()
        ? Support.yes("direct writes take it as reads do; not tried, since that would change it")
        : nowaitRead;
  }

  private static Support zeroing(long deviceNumber) {
    OptionalLong maxBytes = writeZeroesMaxBytes(deviceNumber);
    if (maxBytes.isEmpty()) {
      return Support.yes("not tried, since that would change the device; learnt when first used");
    }
    return maxBytes.getAsLong() > 0
        ? Support.yes("the device zeroes by itself")
        : Support.no("the device does not zero by itself, so zeroes are written");
  }

  private static OptionalLong writeZeroesMaxBytes(long deviceNumber) {
    Path device =
        Path.of("/sys/dev/block", (deviceNumber >>> 32) + ":" + (deviceNumber & 0xFFFF_FFFFL));
    // A partition has the queue of its disk, one level up.
    OptionalLong own = number(device.resolve("queue/write_zeroes_max_bytes"));
    return own.isPresent() ? own : number(device.resolve("../queue/write_zeroes_max_bytes"));
  }

  private static OptionalLong number(Path path) {
    try {
      return OptionalLong.of(Long.parseUnsignedLong(Files.readString(path).strip()));
    } catch (IOException | NumberFormatException unknown) {
      return OptionalLong.empty();
    }
  }
}

package io.loopgate.backing.blockdev;

import static io.loopgate.sys.LinuxConstants.BLKGETSIZE64;
import static io.loopgate.sys.LinuxConstants.BLKROGET;
import static io.loopgate.sys.LinuxConstants.BLKSSZGET;
import static io.loopgate.sys.LinuxConstants.O_EXCL;

import io.loopgate.backing.BackingException;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Geometry;
import io.loopgate.backing.OpenOptions;
import io.loopgate.backing.fd.DirectAlignment;
import io.loopgate.backing.fd.OpenFile;
import io.loopgate.backing.fd.Refusals;
import io.loopgate.block.Errno;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.SystemCalls;
import java.nio.file.Path;

/** Opens block devices. Blocks; for control threads. */
public final class BlockDevices {
  private static final int PREFERRED_IO_BYTES = 256 * 1024;
  private static final int SECTOR_BYTES_MIN = 512;

  private BlockDevices() {}

  /**
   * Opens a device, past its page cache unless told otherwise. For writing it is claimed ({@code
   * O_EXCL}), so that nothing can mount it meanwhile.
   *
   * @throws BackingException if it cannot be opened as demanded; nothing is left open
   */
  public static DescriptorBacking open(Path path, OpenOptions options) {
    return open(SystemCalls.instance(), path, options);
  }

  static DescriptorBacking open(SystemCalls calls, Path path, OpenOptions asked) {
    OpenOptions options = asked.decided(true);
    FileStatus before = OpenFile.look(calls, path);
    if (!before.isBlockDevice()) {
      throw Refusals.wrongKind(path, before.isDirectory());
    }
    OpenFile file = OpenFile.open(calls, path, options, true, options.readOnly() ? 0 : O_EXCL);
    try {
      return open(file);
    } catch (RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  private static DescriptorBacking open(OpenFile file) {
    OpenOptions options = file.options();
    if (!options.readOnly() && file.calls().ioctlGet(file.fd(), BLKROGET) == 1) {
      throw Refusals.onlyReadable(file.path(), -Errno.EROFS);
    }
    long sizeBytes = sizeBytes(file);
    if (sizeBytes == 0) {
      throw Refusals.empty(file.path(), true);
    }
    if (sizeBytes % options.blockSizeBytes() != 0) {
      throw new BackingException(
          "device "
              + file.path()
              + " has "
              + sizeBytes
              + " bytes, which is not a multiple of the block size of "
              + options.blockSizeBytes()
              + ": set `blockSize` to "
              + Math.max(SECTOR_BYTES_MIN, sectorBytes(file)),
          0);
    }
    int sectorBytes = sectorBytes(file);
    Geometry geometry = new Geometry(sizeBytes, 1, 1, PREFERRED_IO_BYTES);
    if (options.direct()) {
      DirectAlignment alignment = DirectAlignment.find(file, file.status(), sectorBytes);
      geometry =
          new Geometry(
              sizeBytes, alignment.offsetBytes(), alignment.memoryBytes(), PREFERRED_IO_BYTES);
    }
    return new BlockDeviceBacking(
        file, geometry, sectorBytes, DeviceProbe.probe(file, geometry.alignmentBytes()));
  }

  static long sizeBytes(OpenFile file) {
    long sizeBytes = file.calls().ioctlGet(file.fd(), BLKGETSIZE64);
    if (sizeBytes < 0) {
      throw Refusals.failed("ask for the size of", file.path(), sizeBytes);
    }
    return sizeBytes;
  }

  private static int sectorBytes(OpenFile file) {
    long sectorBytes = file.calls().ioctlGet(file.fd(), BLKSSZGET);
    if (sectorBytes < 0) {
      throw Refusals.failed("ask for the sector size of", file.path(), sectorBytes);
    }
    return Math.max(SECTOR_BYTES_MIN, (int) sectorBytes);
  }
}

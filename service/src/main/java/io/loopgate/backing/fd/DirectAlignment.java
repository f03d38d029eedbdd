package io.loopgate.backing.fd;

import io.loopgate.backing.BackingException;
import io.loopgate.sys.AlignedMemory;
import io.loopgate.sys.FileStatus;
import io.loopgate.sys.FileSystems;

/**
 * What direct I/O on a file has to be aligned to.
 *
 * @param offsetBytes for offsets and lengths
 * @param memoryBytes for memory
 */
public record DirectAlignment(int offsetBytes, int memoryBytes) {
  /** Kernels ask for as little as 4; whole sectors cost nothing and hold on every file system. */
  private static final int MEMORY_BYTES_MIN = 512;

  private static final int[] TRIED_BYTES = {512, 4096};

  /**
   * Finds it out: by what the kernel says ({@code STATX_DIOALIGN}), else by trying, and proves it
   * by one read.
   *
   * @param atLeastBytes a unit known otherwise, such as the sector of a device
   * @throws BackingException if direct I/O is not possible here, since it was demanded
   */
  public static DirectAlignment find(OpenFile file, FileStatus status, int atLeastBytes) {
    if (FileSystems.isMemory(file.fileSystem())) {
      // These take O_DIRECT and then do not care.
      throw Refusals.noDirect(file.path(), file.fileSystem() + " keeps files in memory");
    }
    if (status.knowsDirectAlignment()) {
      int offsetBytes = status.directOffsetAlignmentBytes();
      if (offsetBytes == 0) {
        throw Refusals.noDirect(
            file.path(), file.fileSystem() + " says that this file cannot do it");
      }
      int unitBytes = Math.max(offsetBytes, atLeastBytes);
      int memoryBytes = Math.max(status.directMemoryAlignmentBytes(), MEMORY_BYTES_MIN);
      return proved(file, new DirectAlignment(unitBytes, memoryBytes));
    }
    for (int unitBytes : TRIED_BYTES) {
      DirectAlignment candidate =
          new DirectAlignment(Math.max(unitBytes, atLeastBytes), Math.max(unitBytes, atLeastBytes));
      if (read(file, candidate) >= 0) {
        return candidate;
      }
    }
    throw Refusals.noDirect(file.path(), file.fileSystem() + " refuses aligned direct reads");
  }

  private static DirectAlignment proved(OpenFile file, DirectAlignment alignment) {
    long result = read(file, alignment);
    if (result < 0) {
      throw Refusals.failed("read directly from", file.path(), result);
    }
    return alignment;
  }

  private static long read(OpenFile file, DirectAlignment alignment) {
    try (AlignedMemory memory =
        AlignedMemory.allocate(alignment.memoryBytes(), alignment.offsetBytes())) {
      return file.calls().pread(file.fd(), memory.address(), memory.sizeBytes(), 0, 0);
    }
  }
}

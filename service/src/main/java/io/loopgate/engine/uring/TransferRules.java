package io.loopgate.engine.uring;

import io.loopgate.backing.Backing;
import io.loopgate.backing.DescriptorBacking;
import io.loopgate.backing.Geometry;
import io.loopgate.block.BlockOp;
import io.loopgate.block.BlockRequest;
import io.loopgate.block.Errno;
import java.util.function.BooleanSupplier;

/**
 * Which commands are plain transfers of an open file, so that the kernel may have them as they are;
 * what is not, the backing runs itself. Any thread; nothing is allocated.
 */
final class TransferRules {
  private final long unitMask;
  private final long memoryMask;
  private final boolean readOnly;
  private final boolean dsync;
  private final BooleanSupplier checksWrites;

  TransferRules(Backing backing) {
    Geometry geometry = backing.geometry();
    this.unitMask = geometry.alignmentBytes() - 1L;
    this.memoryMask = geometry.memoryAlignmentBytes() - 1L;
    this.readOnly = backing.readOnly();
    this.dsync = backing.capabilities().dsync().available();
    this.checksWrites =
        backing instanceof DescriptorBacking file ? file::checksWrites : () -> false;
  }

  /** Tells whether the remaining part of a command may go to the kernel as it is. */
  boolean isPlain(BlockRequest request) {
    if (isMisaligned(request)) {
      return false;
    }
    return request.op() == BlockOp.READ
        || (request.op() == BlockOp.WRITE
            && !readOnly
            && (dsync || !request.isFua())
            && !checksWrites.getAsBoolean());
  }

  /** As in PositionalIo: ext4 serves a misaligned direct transfer through the page cache. */
  private boolean isMisaligned(BlockRequest request) {
    return ((request.remainingOffsetBytes() | request.remainingBytes()) & unitMask) != 0
        || (request.remainingAddress() & memoryMask) != 0;
  }

  /**
   * Tells whether a result needs the backing's own judgement: nothing was moved, or the kernel did
   * not do it and another way may. What is a plain failure of the device stays one.
   */
  static boolean isOdd(int result) {
    return switch (-result) {
      // Nothing moved: the end of a file that was shrunk. EINVAL: a direct read up to its odd end.
      // ENOSPC of a device: it has become smaller.
      case 0, Errno.EINVAL, Errno.ENOSPC -> true;
      // Not now, or not in this way: without waiting, with RWF_DSYNC.
      case Errno.EINTR, Errno.EAGAIN, Errno.EOPNOTSUPP -> true;
      // The kernel's worker ended before it began.
      case Errno.ECANCELED -> true;
      default -> false;
    };
  }
}

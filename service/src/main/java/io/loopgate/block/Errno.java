package io.loopgate.block;

/**
 * The error numbers that results carry, negated: the kernel's for Linux, and a few of our own above
 * them.
 *
 * <p>The kernel never returns a number over 4095 ({@code MAX_ERRNO}), so ours begin at 65536.
 */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENOTTY = 25;
  public static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  public static final int EROFS = 30;
  public static final int ENOSYS = 38;
  public static final int ELOOP = 40;
  public static final int EOPNOTSUPP = 95;
  public static final int ESTALE = 116;
  public static final int EDQUOT = 122;
  public static final int ECANCELED = 125;

  /** The backing holds fewer bytes than the volume promises: a file was shrunk beneath it. */
  public static final int TRUNCATED = 65_536;

  /** A flush failed earlier; what was written since the last good one may be lost. */
  public static final int POISONED = 65_537;

  /** The command's deadline passed before it was started. */
  public static final int DEADLINE = 65_538;

  /** The queue the command would wait in is full. */
  public static final int OVERLOADED = 65_539;

  /** The volume is closing or closed. */
  public static final int CLOSED = 65_540;

  /** The volume takes no writes. */
  public static final int READ_ONLY = 65_541;

  private Errno() {}

  /**
   * Returns the symbolic name of a number, such as {@code ENOSPC}, or {@code errno 77} for one not
   * listed here.
   */
  public static String name(long errno) {
    return switch ((int) errno) {
      case EPERM -> "EPERM";
      case ENOENT -> "ENOENT";
      case EINTR -> "EINTR";
      case EIO -> "EIO";
      case ENXIO -> "ENXIO";
      case EBADF -> "EBADF";
      case EAGAIN -> "EAGAIN";
      case ENOMEM -> "ENOMEM";
      case EACCES -> "EACCES";
      case EBUSY -> "EBUSY";
      case EEXIST -> "EEXIST";
      case ENODEV -> "ENODEV";
      case ENOTDIR -> "ENOTDIR";
      case EISDIR -> "EISDIR";
      case EINVAL -> "EINVAL";
      case ENOTTY -> "ENOTTY";
      case EFBIG -> "EFBIG";
      case ENOSPC -> "ENOSPC";
      case EROFS -> "EROFS";
      case ENOSYS -> "ENOSYS";
      case ELOOP -> "ELOOP";
      case EOPNOTSUPP -> "EOPNOTSUPP";
      case ESTALE -> "ESTALE";
      case EDQUOT -> "EDQUOT";
      case ECANCELED -> "ECANCELED";
      case TRUNCATED -> "TRUNCATED";
      case POISONED -> "POISONED";
      case DEADLINE -> "DEADLINE";
      case OVERLOADED -> "OVERLOADED";
      case CLOSED -> "CLOSED";
      case READ_ONLY -> "READ_ONLY";
      default -> "errno " + errno;
    };
  }

  /** Tells whether a result says that the backing is out of space. */
  public static boolean isNoSpace(long result) {
    return result == -ENOSPC || result == -EDQUOT || result == -EFBIG;
  }
}

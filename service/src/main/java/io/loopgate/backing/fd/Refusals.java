package io.loopgate.backing.fd;

import io.loopgate.backing.BackingException;
import io.loopgate.block.Errno;
import java.nio.file.Path;

/** What is said when a file or device cannot be opened: one line with what, why, and what to do. */
public final class Refusals {
  private static final String SAFE_IN_SHELL = "[A-Za-z0-9_@%+=:,./-]+";

  private Refusals() {}

  /** There is nothing at the path. */
  public static BackingException missing(Path path) {
    return new BackingException(
        "image "
            + path
            + " does not exist: correct the path, or create it, as in `truncate --size=1G "
            + quoted(path)
            + "`",
        Errno.ENOENT);
  }

  /** The path names something that holds no blocks. */
  public static BackingException wrongKind(Path path, boolean directory) {
    return new BackingException(
        path
            + (directory ? " is a directory" : " is neither a regular file nor a block device")
            + ": name an image file or a block device"
            + (directory ? " (such as one inside it)" : ""),
        directory ? Errno.EISDIR : 0);
  }

  /** A call failed in a way that needs no more explanation than its name. */
  public static BackingException failed(String what, Path path, long result) {
    return new BackingException(
        "cannot " + what + " " + path + ": " + Errno.name(-result) + advice(-result),
        (int) -result);
  }

  private static String advice(long errno) {
    return switch ((int) errno) {
      case Errno.ENOSPC -> " (no space left on its file system: free some, or ask for less)";
      case Errno.EDQUOT -> " (the disk quota is used up: raise it, or ask for less)";
      case Errno.EFBIG ->
          " (larger than its file system or the file size limit allows: ask for less)";
      case Errno.EEXIST -> " (it exists already: choose another name, or use it as it is)";
      case Errno.ENOENT -> " (its directory does not exist: create that first)";
      case Errno.ENOTDIR -> " (a part of the path is not a directory: correct the path)";
      case Errno.EACCES, Errno.EPERM -> " (permission denied: give this user access)";
      case Errno.EROFS -> " (its file system is mounted read-only: remount it writable)";
      case Errno.EINVAL -> " (the file system or device does not take such a value)";
      case Errno.ELOOP -> " (too many symbolic links: correct the path)";
      case Errno.EIO, Errno.ESTALE -> " (the storage below it fails: see the kernel log)";
      default -> "";
    };
  }

  /** It can be read and not written, and it was to be written. */
  public static BackingException onlyReadable(Path path, long result) {
    String why =
        switch ((int) -result) {
          case Errno.EROFS -> "its file system is read-only";
          case Errno.EPERM -> "it is marked immutable";
          default -> "this user may not write it";
        };
    return new BackingException(
        "image "
            + path
            + " can be read but not written ("
            + why
            + "): add `readonly` to the volume, or make it writable",
        (int) -result);
  }

  /** It can not even be read. */
  public static BackingException unreadable(Path path, long result, boolean device) {
    String remedy =
        device
            ? "give this user access to the device; for a raw block volume in a container set runAsGroup to the"
                + " device's group, or device_ownership_from_security_context in the container runtime"
            : "give this user access, by chown or chmod, or by runAsUser and fsGroup in a container";
    return new BackingException(
        (device ? "device " : "image ")
            + path
            + " cannot be read (permission denied, "
            + Errno.name(-result)
            + "): "
            + remedy,
        (int) -result);
  }

  /** Somebody else has it. */
  public static BackingException locked(Path path, boolean device) {
    return new BackingException(
        (device ? "device " : "image ")
            + path
            + " is in use by another process (locked): stop it, or open both with readonly",
        Errno.EAGAIN);
  }

  /** Somebody has claimed the device with {@code O_EXCL}, the kernel itself perhaps. */
  public static BackingException claimed(Path path) {
    return new BackingException(
        "device "
            + path
            + " is in use by the system or another process (mounted, swap, part of a RAID or volume group, or"
            + " opened exclusively): release it, or add `readonly`",
        Errno.EBUSY);
  }

  /** Direct I/O was demanded. */
  public static BackingException noDirect(Path path, String why) {
    return new BackingException(
        "direct I/O on "
            + path
            + " is not possible ("
            + why
            + "): remove `direct=on`, or move it to a file system with direct I/O, such as ext4 or xfs",
        Errno.EINVAL);
  }

  /** The size is not a multiple of what direct I/O needs. */
  public static BackingException raggedForDirect(Path path, long sizeBytes, int alignmentBytes) {
    return new BackingException(
        "direct I/O on "
            + path
            + " needs a size that is a multiple of "
            + alignmentBytes
            + " bytes, not "
            + sizeBytes
            + ": remove `direct=on`, or grow it with `"
            + truncate(path, above(sizeBytes, alignmentBytes))
            + "`",
        0);
  }

  /** The size is not a multiple of the block size. */
  public static BackingException ragged(Path path, long sizeBytes, int blockSizeBytes) {
    long below = sizeBytes - sizeBytes % blockSizeBytes;
    long above = above(sizeBytes, blockSizeBytes);
    return new BackingException(
        "image "
            + path
            + " is ragged: its size of "
            + sizeBytes
            + " bytes is not a multiple of the block size of "
            + blockSizeBytes
            + " (nearest: "
            + (below == 0 ? "" : below + " and ")
            + above
            + "); grow it with `"
            + truncate(path, above)
            + "`",
        0);
  }

  /** There is nothing in it. */
  public static BackingException empty(Path path, boolean device) {
    return new BackingException(
        device
            ? "device " + path + " has no size: attach a medium, or name another device"
            : "image "
                + path
                + " is empty: give it a size, as in `"
                + truncate(path, 1L << 30)
                + "`",
        0);
  }

  private static long above(long sizeBytes, int unitBytes) {
    return (sizeBytes / unitBytes + 1) * unitBytes;
  }

  private static String truncate(Path path, long sizeBytes) {
    return "truncate --size=" + sizeBytes + " " + quoted(path);
  }

  private static String quoted(Path path) {
    String text = path.toString();
    return text.matches(SAFE_IN_SHELL) && !text.startsWith("-")
        ? text
        : "-- '" + text.replace("'", "'\\''") + "'";
  }
}

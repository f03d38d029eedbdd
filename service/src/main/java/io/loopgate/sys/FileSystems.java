package io.loopgate.sys;

/** Names of file systems by the magic number that {@link SystemCalls#fileSystemType} returns. */
public final class FileSystems {
  private FileSystems() {}

  /** Returns the name people know, or {@code file system 0x...} for one not listed here. */
  public static String name(long type) {
    return switch ((int) type) {
      case 0x0000_EF53 -> "ext4";
      case 0x5846_5342 -> "xfs";
      case 0x9123_683E -> "btrfs";
      case 0x0102_1994 -> "tmpfs";
      case 0x8584_58F6 -> "ramfs";
      case 0x794C_7630 -> "overlayfs";
      case 0xF2F5_2010 -> "f2fs";
      case 0x2FC1_2FC1 -> "zfs";
      case 0xCA45_1A4E -> "bcachefs";
      case 0x0000_6969 -> "nfs";
      case 0x6573_5546 -> "fuse";
      case 0x0102_1997 -> "9p";
      case 0xFF53_4D42 -> "cifs";
      case 0xFE53_4D42 -> "smb";
      case 0x00C3_6400 -> "ceph";
      case 0x0000_4D44 -> "vfat";
      case 0x2011_BAB0 -> "exfat";
      case 0x7371_7368 -> "squashfs";
      case 0xE0F5_E1E2 -> "erofs";
      case 0x0000_9660 -> "iso9660";
      default -> "file system 0x" + Long.toHexString(type);
    };
  }

  /**
   * Tells whether files live in memory only, so that going past the page cache means nothing there.
   */
  public static boolean isMemory(String name) {
    return name.equals("tmpfs") || name.equals("ramfs");
  }
}

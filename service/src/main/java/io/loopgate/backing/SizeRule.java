package io.loopgate.backing;

import io.loopgate.block.Errno;
import io.loopgate.block.Quantities;

/** Which sizes a backing may have that has no file to tell. */
public final class SizeRule {
  private SizeRule() {}

  /**
   * Checks a size that a backing is to be given.
   *
   * @param name how the backing is named, for the message
   * @param unitBytes what the size has to be a multiple of
   * @throws BackingException if it is none
   */
  public static void check(String name, long sizeBytes, int unitBytes) {
    if (sizeBytes <= 0 || sizeBytes % unitBytes != 0) {
      throw new BackingException(
          name
              + " cannot have "
              + Quantities.formatBytes(sizeBytes)
              + ": ask for a multiple of "
              + unitBytes
              + " bytes that is more than 0",
          Errno.EINVAL);
    }
  }
}

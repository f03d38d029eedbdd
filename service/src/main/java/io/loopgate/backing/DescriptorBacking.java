package io.loopgate.backing;

/**
 * A backing that is an open file of the kernel, for engines that hand commands to the kernel
 * themselves.
 *
 * <p>Such an engine keeps to the rules of {@link Backing} by itself: transfers are aligned to the
 * geometry, and a transfer of 0 bytes below the size is not a success.
 */
public interface DescriptorBacking extends Backing {
  /** Returns the descriptor reads and writes go through; valid until {@link #close}. */
  int fd();

  /**
   * Tells whether writes have to go through {@link #execute} from now on, since the file was found
   * to be shorter than it was: only there is each one checked against the true end. Costs a look at
   * a field; any thread.
   */
  default boolean checksWrites() {
    return false;
  }
}

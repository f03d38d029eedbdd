package io.loopgate.backing;

/**
 * How a backing is to be opened.
 *
 * @param readOnly only reads; the lock on it is shared
 * @param directIo transfers past the page cache; refused with the reason where the backing cannot
 * @param blockSizeBytes the volume's block size, which the size has to be a multiple of
 */
public record OpenOptions(boolean readOnly, DirectIo directIo, int blockSizeBytes) {
  /** Options that leave nothing to the backing. */
  public OpenOptions(boolean readOnly, boolean direct, int blockSizeBytes) {
    this(readOnly, DirectIo.of(direct), blockSizeBytes);
  }

  /** Tells whether transfers have to go past the page cache. */
  public boolean direct() {
    return directIo == DirectIo.ON;
  }

  /** Returns the same, with {@link DirectIo#AUTO} decided. */
  public OpenOptions decided(boolean directIfAuto) {
    return directIo == DirectIo.AUTO
        ? new OpenOptions(readOnly, directIfAuto, blockSizeBytes)
        : this;
  }
}

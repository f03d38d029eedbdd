package io.loopgate.backing;

/**
 * How a backing is to be opened.
 *
 * @param readOnly only reads; the lock on it is shared
 * @param direct transfers past the page cache; refused with the reason where the file cannot
 * @param blockSizeBytes the volume's block size, which the size has to be a multiple of
 */
public record OpenOptions(boolean readOnly, boolean direct, int blockSizeBytes) {}

package io.loopgate.backing.fd;

import io.loopgate.sys.AlignedMemory;

/**
 * Zeroes to write where space cannot be zeroed by a call; shared by all, never written, never given
 * back.
 */
public final class ZeroMemory {
  /** How many there are: one step of writing zeroes. */
  public static final int BYTES = 1 << 20;

  /** More than any known direct I/O asks for. */
  private static final int ALIGNMENT_BYTES = 1 << 16;

  private static final AlignedMemory ZEROES = AlignedMemory.allocate(ALIGNMENT_BYTES, BYTES);

  private ZeroMemory() {}

  /** Returns where they are, aligned for any direct transfer; only to be read. */
  public static long address() {
    return ZEROES.address();
  }
}

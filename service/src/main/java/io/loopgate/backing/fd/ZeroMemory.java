package io.loopgate.backing.fd;

import io.loopgate.sys.AlignedMemory;

/**
 * Zeroes to write where space cannot be zeroed by a call; shared by all, never written, never given
 * back.
 */
final class ZeroMemory {
  /** One step of writing zeroes. */
  static final int BYTES = 1 << 20;

  /** More than any known direct I/O asks for. */
  private static final int ALIGNMENT_BYTES = 1 << 16;

  private static final AlignedMemory ZEROES = AlignedMemory.allocate(ALIGNMENT_BYTES, BYTES);

  private ZeroMemory() {}

  static long address() {
    return ZEROES.address();
  }
}

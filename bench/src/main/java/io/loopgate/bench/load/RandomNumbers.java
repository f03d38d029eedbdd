package io.loopgate.bench.load;

/**
 * Cheap random numbers (xorshift64*, after Vigna): a few instructions each, nothing shared. For one
 * thread.
 */
final class RandomNumbers {
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private long state;

  RandomNumbers(long seed) {
    long mixed = (seed + 1) * MIX;
    this.state = mixed == 0 ? MIX : mixed;
  }

  /** Returns a number from 0 to {@code bound} - 1; {@code bound} is at most 2^32. */
  long below(long bound) {
    return ((next() >>> 32) * bound) >>> 32;
  }

  private long next() {
    long x = state;
    x ^= x >>> 12;
    x ^= x << 25;
    x ^= x >>> 27;
    state = x;
    return x * 0x2545_F491_4F6C_DD1DL;
  }
}

package io.loopgate.bench.http;

/** When commands begin. For one thread. */
interface Pace {
  /** Each begins as soon as there is room for it. */
  Pace AT_ONCE =
      new Pace() {
        @Override
        public long nextNanos(long nowNanos) {
          return nowNanos;
        }

        @Override
        public void begin() {}
      };

  /** Returns when the next command is meant to begin, by {@link System#nanoTime}. */
  long nextNanos(long nowNanos);

  /** The next command has begun. */
  void begin();
}

package io.loopgate.engine.polled;

import io.loopgate.engine.LoopContext;
import io.loopgate.engine.aio.AioEngine;
import io.loopgate.engine.aio.CompletionWatch;
import io.loopgate.sys.EventFd;
import java.util.Locale;

/** How ends are polled for. */
enum PollMode implements CompletionWatch.Kind {
  /** Inside submit, until the command has ended: dm's first try (2021), eleven times slower. */
  NAIVE,
  /** For all pending ones, one pass in each turn of the loop: dm's final design (5.18). */
  BATCH,
  /** As batch, but asleep until a transfer can have ended (06426adf072b; again in 6.13). */
  HYBRID;

  private static final int BATCH_MAX = 64;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean signals() {
    return false;
  }

  @Override
  public int batchMax() {
    return this == NAIVE ? 1 : BATCH_MAX;
  }

  @Override
  public CompletionWatch open(AioEngine queue, LoopContext loop, EventFd signal) {
    return this == NAIVE ? new Unwatched() : new Poller(queue, loop, this == HYBRID);
  }

  /** Nobody looks: {@link NaiveEngine} does it inside submit. */
  private record Unwatched() implements CompletionWatch {
    @Override
    public void expect() {}

    @Override
    public boolean close() {
      return true;
    }
  }
}

package io.loopgate.bench.control;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The wish to stop soon, made known once. Any thread. */
public final class Stop {
  private final CountDownLatch requested = new CountDownLatch(1);

  /** Makes the wish known. */
  public void request() {
    requested.countDown();
  }

  /** Tells whether it is known. */
  public boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits for so long, or until the wish is known; returns whether it is. */
  public boolean await(Duration time) {
    try {
      return requested.await(Math.max(0, time.toNanos()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Ends what is being prepared if the wish is known. */
  public void check() {
    if (isRequested()) {
      throw new StoppedException();
    }
  }
}

package io.loopgate.http;

import io.loopgate.block.Errno;
import io.loopgate.volume.Volume;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a change without a body: its outcome, or 504 if that takes longer than the client
 * wants to wait. The volume is left when the outcome is there, in either case. Confined to its
 * loop.
 */
final class TimedAnswer {
  private final Exchange exchange;
  private final Volume volume;
  private final long offsetBytes;
  private Deadline.@Nullable Timer timer;
  private boolean late;

  /** Starts the clock; {@code timeoutMillis} is 0 for a client that waits. */
  TimedAnswer(Exchange exchange, Volume volume, long offsetBytes, long timeoutMillis) {
    this.exchange = exchange;
    this.volume = volume;
    this.offsetBytes = offsetBytes;
    if (timeoutMillis > 0) {
      timer = Deadline.start(timeoutMillis, this::timePassed);
    }
  }

  private void timePassed() {
    late = true;
    exchange.problemWithoutClosing(Problem.ofResult(-Errno.DEADLINE, offsetBytes, volume.id()));
  }

  /** The work has failed with this negative result. */
  void failed(long result) {
    if (inTime()) {
      exchange.problem(Problem.ofResult(result, offsetBytes, volume.id()));
    }
  }

  /** The work is done. */
  void done(int status, long sequence, boolean durable) {
    if (inTime()) {
      ChangeAnswer.fields(exchange, volume, sequence, durable);
      exchange.empty(status);
    }
  }

  private boolean inTime() {
    if (late) {
      exchange.close();
      return false;
    }
    Deadline.cancel(timer);
    return true;
  }
}

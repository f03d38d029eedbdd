package io.loopgate.bench.shape;

import java.util.Locale;

/**
 * How commands go to a server, beyond what {@link Access} says. Jobs are connections then, and the
 * depth is how many commands each keeps in flight.
 *
 * @param protocol how they travel
 * @param durable whether a write is on stable media when it is acknowledged
 * @param ratePerSecond how many commands begin each second, whatever the server does; 0: the next
 *     one begins when one has ended
 * @param whole whether a read is of the whole volume in one request
 */
public record Wire(Protocol protocol, boolean durable, double ratePerSecond, boolean whole) {
  private static final double RATE_MAX = 10_000_000;

  /** Checks the numbers. */
  public Wire {
    if (!(ratePerSecond >= 0 && ratePerSecond <= RATE_MAX)) {
      throw new IllegalArgumentException(
          "rate has to be 0 to " + (long) RATE_MAX + " a second, not " + ratePerSecond);
    }
  }

  /** Commands one after the other, as fast as they are answered. */
  public static Wire closed(Protocol protocol, boolean durable) {
    return new Wire(protocol, durable, 0, false);
  }

  /** Returns the same with commands that begin at a rate. */
  public Wire at(double rate) {
    return new Wire(protocol, durable, rate, whole);
  }

  /** Tells whether commands begin at a rate of their own. */
  public boolean isOpen() {
    return ratePerSecond > 0;
  }

  /** Returns a few words for reports. */
  String text(Rw rw) {
    return "over "
        + protocol.word()
        + (whole ? ", the whole volume in one request" : "")
        + (rw.writes() ? durable ? ", durable" : ", writeback" : "")
        + (isOpen() ? String.format(Locale.ROOT, ", %.0f begin each second", ratePerSecond) : "");
  }
}

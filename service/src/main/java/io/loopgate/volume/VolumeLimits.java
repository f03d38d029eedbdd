package io.loopgate.volume;

/**
 * What one volume grants its clients.
 *
 * @param maxInFlight requests being served at a time; more are answered 503
 * @param operationsPerSecond requests a second; 0 is no limit; more are answered 429
 * @param bytesPerSecond payload bytes a second; 0 is no limit; more are answered 429
 */
public record VolumeLimits(int maxInFlight, long operationsPerSecond, long bytesPerSecond) {
  /** What a volume grants unless told otherwise. */
  public static final VolumeLimits DEFAULT = new VolumeLimits(1024, 0, 0);

  /** Checks the numbers; the message names the one that is wrong. */
  public VolumeLimits {
    if (maxInFlight < 1 || maxInFlight > 65_536) {
      throw new IllegalArgumentException("maxInFlight has to be 1 to 65536, not " + maxInFlight);
    }
    if (operationsPerSecond < 0) {
      throw new IllegalArgumentException(
          "operationsPerSecond has to be 0 (no limit) or more, not " + operationsPerSecond);
    }
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "bytesPerSecond has to be 0 (no limit) or more, not " + bytesPerSecond);
    }
  }
}

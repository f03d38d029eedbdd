package io.loopgate.volume;

/**
 * What happens when something a volume was asked for has ended; runs once, on the loop that asked.
 */
@FunctionalInterface
public interface IoHandler {
  /**
   * It has ended.
   *
   * @param result 0 or a length, or a negative {@link io.loopgate.block.Errno} number
   */
  void ended(long result);
}

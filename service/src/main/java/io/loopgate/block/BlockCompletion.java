package io.loopgate.block;

/**
 * What the submitter does when its command has ended.
 *
 * <p>Runs exactly once per submission, on the loop that owns the request, possibly inside {@code
 * submit}.
 */
@FunctionalInterface
public interface BlockCompletion {
  /**
   * The command has ended and the slot is the submitter's again.
   *
   * @param request the slot, whose {@link BlockRequest#doneBytes()} tells how far it came
   * @param result the length of the command, or a negative {@link Errno} number
   */
  void completed(BlockRequest request, long result);
}

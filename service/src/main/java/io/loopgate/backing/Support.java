package io.loopgate.backing;

/**
 * Whether a backing can do something, and why.
 *
 * @param available whether it can
 * @param reason one clause a person understands, such as {@code ext4 refuses RWF_NOWAIT on buffered
 *     writes}
 */
public record Support(boolean available, String reason) {
  /** It can. */
  public static Support yes(String reason) {
    return new Support(true, reason);
  }

  /** It can't, for this reason. */
  public static Support no(String reason) {
    return new Support(false, reason);
  }
}

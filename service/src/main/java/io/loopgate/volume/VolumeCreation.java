package io.loopgate.volume;

/**
 * What a client wants created.
 *
 * @param settings all settings; an empty-looking backing is not allowed, see {@link
 *     #DEFAULT_BACKING}
 * @param sizeBytes the size
 * @param idempotencyKey the client's key for this request, or an empty text
 * @param requestDigest a digest of the request, to tell a repetition from another use of the key
 */
public record VolumeCreation(
    VolumeSettings settings, long sizeBytes, String idempotencyKey, String requestDigest) {
  /**
   * Names the backing that a volume gets when the client names none: a file of its own in the data
   * folder.
   */
  public static final String DEFAULT_BACKING = "*";
}

package io.loopgate.http;

import io.loopgate.volume.Volume;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A write that has passed all checks which can be made before its body.
 *
 * @param volume where to
 * @param offsetBytes the first byte
 * @param length what the body may be long
 * @param durable whether the answer waits for stable media
 * @param digest what the body has to fit, if the client said
 * @param condition the If-Match field, or null
 * @param timeoutMillis the deadline, or 0
 */
record WritePlan(
    Volume volume,
    long offsetBytes,
    Length length,
    boolean durable,
    Optional<ContentDigest> digest,
    @Nullable String condition,
    long timeoutMillis) {

  /**
   * What the body may be long.
   *
   * @param announcedBytes what Content-Length says, or -1 for a chunked body
   * @param wantedBytes what the range, the count or the name says, or -1 if nothing does
   * @param slackBytes how many bytes less are taken too: 1 in lenient mode, where an end may be one
   *     too high
   * @param multipleBytes what it has to be a multiple of
   * @param roomBytes how many bytes there are from the offset to the end of the volume
   * @param plain whether the request named no place at all, so that too long is 413 and not 416
   */
  record Length(
      long announcedBytes,
      long wantedBytes,
      int slackBytes,
      int multipleBytes,
      long roomBytes,
      boolean plain) {

    boolean isKnown() {
      return announcedBytes >= 0;
    }

    /** Checks a length that is known now. */
    Optional<Problem> check(long actualBytes, long sizeBytes) {
      if (wantedBytes >= 0
          && (actualBytes > wantedBytes || actualBytes < wantedBytes - slackBytes)) {
        return Optional.of(
            Problem.of(
                    ProblemCode.LENGTH_MISMATCH,
                    "the body has "
                        + actualBytes
                        + " bytes, but the request speaks of "
                        + wantedBytes
                        + "; nothing was written")
                .with("bodyBytes", actualBytes)
                .with("wantedBytes", wantedBytes));
      }
      if (actualBytes % multipleBytes != 0) {
        return Optional.of(
            Problem.of(
                    ProblemCode.LENGTH_MISMATCH,
                    "the body has "
                        + actualBytes
                        + " bytes, which is no multiple of the block size "
                        + multipleBytes
                        + "; nothing was written")
                .with("alignment", multipleBytes));
      }
      return actualBytes > roomBytes ? Optional.of(pastEnd(sizeBytes)) : Optional.empty();
    }

    /** Checks a body under way, of which so much has come; false once it can only be too long. */
    Optional<Problem> checkSoFar(long comeBytes, long sizeBytes) {
      if (wantedBytes >= 0 && comeBytes > wantedBytes) {
        return check(comeBytes, sizeBytes);
      }
      return comeBytes > roomBytes ? Optional.of(pastEnd(sizeBytes)) : Optional.empty();
    }

    private Problem pastEnd(long sizeBytes) {
      String detail =
          "the body reaches past the end of the volume, which has "
              + sizeBytes
              + " bytes; nothing was written";
      return plain
          ? Problem.of(ProblemCode.TOO_LARGE, detail).with("limit", sizeBytes)
          : Problem.unsatisfiable(detail, sizeBytes);
    }
  }
}

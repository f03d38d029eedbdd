package io.loopgate.http;

import io.loopgate.volume.ChecksumAlgorithm;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks a body against its {@code Content-Digest} (RFC 9530): every digest of a known algorithm
 * has to fit; others are passed over, but one at least has to be known, since the client asked for
 * a check. For one body, on one loop.
 */
final class ContentDigest {
  @SuppressWarnings("ArrayRecordComponent") // Never compared, never shared.
  private record Expected(
      ChecksumAlgorithm algorithm, ChecksumAlgorithm.Digest digest, byte[] value) {}

  private final List<Expected> expected = new ArrayList<>();

  private ContentDigest() {}

  /**
   * Reads the field.
   *
   * @return empty if there is none
   * @throws ProblemException 400 if it makes no sense or no algorithm in it is known
   */
  static Optional<ContentDigest> parse(@Nullable String field) {
    if (field == null) {
      return Optional.empty();
    }
    ContentDigest digest = new ContentDigest();
    for (String member : field.split(",", -1)) {
      digest.addMember(member.strip());
    }
    if (digest.expected.isEmpty()) {
      throw ProblemException.badRequest(
          "Content-Digest names no algorithm known here; known are sha-256 and crc32c");
    }
    return Optional.of(digest);
  }

  private void addMember(String member) {
    int equals = member.indexOf('=');
    if (equals < 1
        || member.length() < equals + 3
        || member.charAt(equals + 1) != ':'
        || !member.endsWith(":")) {
      throw ProblemException.badRequest(
          "Content-Digest \"" + member + "\" is not of the form algorithm=:base64:");
    }
    byte[] value;
    try {
      value = Base64.getDecoder().decode(member.substring(equals + 2, member.length() - 1));
    } catch (IllegalArgumentException e) {
      throw ProblemException.badRequest("Content-Digest \"" + member + "\" is not valid base64");
    }
    ChecksumAlgorithm.of(member.substring(0, equals))
        .ifPresent(algorithm -> expected.add(new Expected(algorithm, algorithm.start(), value)));
  }

  void update(ByteBuffer bytes) {
    for (Expected each : expected) {
      each.digest.update(bytes.duplicate());
    }
  }

  /** Returns the name of an algorithm whose digest differs, if there is one. */
  Optional<String> mismatch() {
    for (Expected each : expected) {
      if (!MessageDigest.isEqual(each.digest.finish(), each.value)) {
        return Optional.of(each.algorithm.label());
      }
    }
    return Optional.empty();
  }
}

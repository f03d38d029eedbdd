package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContentDigestTest {
  private static final byte[] BODY = "hello, disk".getBytes(StandardCharsets.US_ASCII);

  static String sha256(byte[] body) throws Exception {
    return "sha-256=:"
        + Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(body))
        + ":";
  }

  static String crc32c(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    byte[] value = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    return "crc32c=:" + Base64.getEncoder().encodeToString(value) + ":";
  }

  private static String check(String field) {
    ContentDigest digest = ContentDigest.parse(field).orElseThrow();
    digest.update(ByteBuffer.wrap(BODY, 0, 3));
    digest.update(ByteBuffer.wrap(BODY, 3, BODY.length - 3));
    return digest.mismatch().orElse("fits");
  }

  @Test
  void fits() throws Exception {
    assertThat(check(sha256(BODY))).isEqualTo("fits");
    assertThat(check(crc32c(BODY))).isEqualTo("fits");
    assertThat(check(sha256(BODY) + ", " + crc32c(BODY))).isEqualTo("fits");
    assertThat(check("sha-512=:AAAA:," + crc32c(BODY))).isEqualTo("fits");
  }

  @Test
  void everyKnownOneHasToFit() throws Exception {
    byte[] other = {1};
    assertThat(check(sha256(other))).isEqualTo("sha-256");
    assertThat(check(crc32c(other))).isEqualTo("crc32c");
    assertThat(check(sha256(BODY) + "," + crc32c(other))).isEqualTo("crc32c");
    assertThat(check(sha256(other) + "," + crc32c(BODY))).isEqualTo("sha-256");
    assertThat(check("crc32c=:AAAA:")).isEqualTo("crc32c");
  }

  @Test
  void noneAskedNoneChecked() {
    assertThat(ContentDigest.parse(null)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "sha-512=:AAAA:",
        "md5=:AAAA:, sha=:AAAA:",
        "sha-256",
        "sha-256=",
        "sha-256=AAAA",
        "sha-256=:",
        "sha-256=:AAAA",
        "sha-256=:!!!:",
        "=:AAAA:",
        "crc32c=:AAAA:,"
      })
  void refusesWhatCannotBeChecked(String field) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> ContentDigest.parse(field))
        .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.BAD_REQUEST));
  }
}

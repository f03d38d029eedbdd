package io.loopgate.http;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Frames several ranges as {@code multipart/byteranges} (RFC 9110, 14.6). */
final class Multipart {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String boundary;
  private final List<BodyPart> parts = new ArrayList<>();

  /**
   * Frames the ranges of something of this size; {@code baseBytes} is where it begins in the
   * volume.
   */
  Multipart(List<ByteRange> ranges, long sizeBytes, long baseBytes) {
    byte[] random = new byte[12];
    RANDOM.nextBytes(random);
    boundary = "loopgate-" + HexFormat.of().formatHex(random);
    String lineEnd = "";
    for (ByteRange range : ranges) {
      text(
          lineEnd
              + "--"
              + boundary
              + "\r\nContent-Type: application/octet-stream\r\nContent-Range: "
              + range.contentRange(sizeBytes)
              + "\r\n\r\n");
      parts.add(new BodyPart.Bytes(range.shifted(baseBytes)));
      lineEnd = "\r\n";
    }
    text("\r\n--" + boundary + "--\r\n");
  }

  private void text(String text) {
    parts.add(new BodyPart.Text(text.getBytes(StandardCharsets.US_ASCII)));
  }

  String contentType() {
    return "multipart/byteranges; boundary=" + boundary;
  }

  List<BodyPart> parts() {
    return parts;
  }
}

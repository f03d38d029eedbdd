package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class MultipartTest {
  private static byte[] render(Multipart multipart) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (BodyPart part : multipart.parts()) {
      switch (part) {
        case BodyPart.Text(byte[] bytes) -> out.writeBytes(bytes);
        case BodyPart.Bytes(ByteRange range) ->
            out.writeBytes(
                "x".repeat((int) range.lengthBytes()).getBytes(StandardCharsets.US_ASCII));
      }
    }
    return out.toByteArray();
  }

  @Test
  void framesAsTheStandardSays() {
    Multipart multipart =
        new Multipart(List.of(new ByteRange(0, 2), new ByteRange(10, 13)), 100, 0);
    String boundary = multipart.contentType().substring("multipart/byteranges; boundary=".length());
    assertThat(new String(render(multipart), StandardCharsets.US_ASCII))
        .isEqualTo(
            "--"
                + boundary
                + "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes 0-1/100\r\n\r\nxx\r\n--"
                + boundary
                + "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes 10-12/100\r\n\r\nxxx\r\n--"
                + boundary
                + "--\r\n");
    assertThat(boundary).matches("[A-Za-z0-9-]{1,70}");
  }

  @Test
  void everyAnswerHasABoundaryOfItsOwn() {
    List<ByteRange> ranges = List.of(new ByteRange(0, 1), new ByteRange(5, 6));
    assertThat(new Multipart(ranges, 9, 0).contentType())
        .isNotEqualTo(new Multipart(ranges, 9, 0).contentType());
  }

  @Test
  void aWindowIsReadWhereItLies() {
    Multipart multipart = new Multipart(List.of(new ByteRange(0, 1), new ByteRange(5, 6)), 9, 4096);
    assertThat(multipart.parts()).contains(new BodyPart.Bytes(new ByteRange(4101, 4102)));
  }

  @Property(tries = 200)
  void isAsLongAsItSays(
      @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 1, max = 500) Integer> lengths) {
    List<ByteRange> ranges =
        lengths.stream()
            .map(length -> new ByteRange(1000L * length, 1000L * length + length))
            .toList();
    Multipart multipart = new Multipart(ranges, 1_000_000, 0);
    assertThat(BodyPart.lengthBytes(multipart.parts())).isEqualTo(render(multipart).length);
  }
}

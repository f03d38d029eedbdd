package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.http.RequestHead.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadTest {
  private static final String READ = "GET /v1/volumes/disk-0/data HTTP/1.1\r\n";
  private static final String FIELDS = "Host: a\r\nRange: bytes=4096-8191\r\n";

  private final RequestHead head = new RequestHead();

  private Kind parse(String text) {
    ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    Kind kind = head.parse(in);
    assertThat(in.readableBytes()).as("left as it is").isEqualTo(text.length());
    return kind;
  }

  @Test
  void aReadOfOneRangeIsUnderstood() {
    String text = READ + FIELDS + "\r\n";
    assertThat(parse(text + "GET / HTTP/1.1\r\n")).isEqualTo(Kind.READ);
    assertThat(head.id()).isEqualTo("disk-0");
    assertThat(head.names("disk-0".getBytes(StandardCharsets.US_ASCII))).isTrue();
    assertThat(head.names("disk-1".getBytes(StandardCharsets.US_ASCII))).isFalse();
    assertThat(head.firstByte()).isEqualTo(4096);
    assertThat(head.lastByte()).isEqualTo(8191);
    assertThat(head.headBytes()).isEqualTo(text.length());
    assertThat(head.requestBytes()).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "User-Agent: curl/8.0\r\nAccept: */*\r\n",
        "CONNECTION:keep-alive\r\n",
        "Connection: \t Keep-Alive \t\r\n",
        "accept-encoding: gzip\r\nAccept-Language: de\r\nX-Forwarded-For: 10.0.0.1\r\n",
      })
  void fieldsWithoutBearingDoNotMatter(String fields) {
    assertThat(parse(READ + FIELDS + fields + "\r\n")).isEqualTo(Kind.READ);
    assertThat(parse(READ + fields + FIELDS + "\r\n")).isEqualTo(Kind.READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "If-Match: \"a\"\r\n",
        "If-Range: \"a\"\r\n",
        "X-Request-Id: a\r\n",
        "Block-Timeout: 5\r\n",
        "Connection: close\r\n",
        "Content-Length: 0\r\n",
        "Range: bytes=0-1\r\n",
        "Host: b\r\n",
        "Whatever: a\r\n",
      })
  void aReadWithMoreToItIsARequestLikeAnother(String field) {
    String text = READ + FIELDS + field + "\r\n";
    assertThat(parse(text)).isEqualTo(Kind.FRAMED);
    assertThat(head.requestBytes()).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:80", "10.0.0.1:8080", "[::1]:80", "A-b_c.example"})
  void hostsAreNamesAndAddresses(String host) {
    assertThat(parse(READ + "Host: " + host + "\r\nRange: bytes=0-1\r\n\r\n")).isEqualTo(Kind.READ);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a@b", "a/b", "a,b"})
  void otherHostsAreForTheHandler(String host) {
    assertThat(parse(READ + "Host: " + host + "\r\nRange: bytes=0-1\r\n\r\n"))
        .isEqualTo(Kind.FRAMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=0-",
        "bytes=-1",
        "bytes=5-4",
        "bytes=0-1,3-4",
        "bytes=0 -1",
        "bytes=a-1",
        "bytes=",
        "Bytes=0-1",
        "blocks=0-1",
        "bytes=1000000000000000000-1000000000000000001",
      })
  void otherRangesAreForTheHandler(String range) {
    assertThat(parse(READ + "Host: a\r\nRange: " + range + "\r\n\r\n")).isEqualTo(Kind.FRAMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/volumes/a/data?x=1 HTTP/1.1\r\n",
        "GET /v1/volumes/A/data HTTP/1.1\r\n",
        "GET /v1/volumes/%61/data HTTP/1.1\r\n",
        "GET /v1/volumes//data HTTP/1.1\r\n",
        "GET /v1/volumes/a/data/ HTTP/1.1\r\n",
        "GET http://a/v1/volumes/a/data HTTP/1.1\r\n",
        "HEAD /v1/volumes/a/data HTTP/1.1\r\n",
        "OPTIONS * HTTP/1.1\r\n",
      })
  void otherTargetsAreForTheHandler(String line) {
    assertThat(parse(line + FIELDS + "\r\n")).isEqualTo(Kind.FRAMED);
  }

  @Test
  void aBodyOfKnownLengthBelongsToItsRequest() {
    String text = "PUT /v1/volumes/a/data HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n";
    assertThat(parse(text + "some of it")).isEqualTo(Kind.FRAMED);
    assertThat(head.headBytes()).isEqualTo(text.length());
    assertThat(head.requestBytes()).isEqualTo(text.length() + 100_000L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Transfer-Encoding: chunked\r\n",
        "transfer-encoding: identity\r\n",
        "Upgrade: h2c\r\n",
        "HTTP2-Settings: AAMAAABkAAQAAP__\r\n",
        "Expect: 100-continue\r\n",
        "Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: 1\r\nContent-Length: 2\r\n",
        "Content-Length: +1\r\n",
        "Content-Length: 1, 1\r\n",
        "Content-Length: 0x1\r\n",
        "Content-Length:\r\n",
        "Content-Length: 9999999999999999999\r\n",
        "Content-Length : 1\r\n",
        " Content-Length: 1\r\n",
        "\tfolded\r\n",
        "Content-Length: 1\n",
        "X: a\rContent-Length: 1\r\n",
        "X: a\u0000\r\n",
        "X: a\u007f\r\n",
        "X: \u00e4\r\n",
        "X\u00e4: a\r\n",
        "X(: a\r\n",
        ": a\r\n",
        "X\r\n",
      })
  void whatMayMeanTwoThingsIsForeign(String field) {
    assertThat(parse(READ + FIELDS + field + "\r\n")).isEqualTo(Kind.FOREIGN);
    assertThat(parse("PUT / HTTP/1.1\r\n" + field + "Host: a\r\n\r\n")).isEqualTo(Kind.FOREIGN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "get / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\n\n",
        "GET /\tHTTP/1.1\r\n\r\n",
        "GET /a b HTTP/1.1\r\n\r\n",
        "\r\nGET / HTTP/1.1\r\n\r\n",
        "\u0016\u0003\u0001",
      })
  void whatIsNoRequestOfThisProtocolIsForeign(String text) {
    assertThat(parse(text)).isEqualTo(Kind.FOREIGN);
  }

  @Test
  void aHeadThatIsNotAllThereIsPartial() {
    String text = READ + FIELDS + "Content-Length: 5\r\n\r\n";
    for (int length = 0; length < text.length(); length++) {
      assertThat(parse(text.substring(0, length))).isEqualTo(Kind.PARTIAL);
    }
  }

  @Test
  void aHeadThatIsTooLongIsForeign() {
    String text = READ + FIELDS + "X: " + "a".repeat(4096) + "\r\n\r\n";
    assertThat(parse(text)).isEqualTo(Kind.FOREIGN);
    assertThat(parse(text.substring(0, 3000))).isEqualTo(Kind.FOREIGN);
  }
}

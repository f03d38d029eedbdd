package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseParserTest {
  private static final String PLAIN =
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\n\r\nhello";
  private static final String CHUNKED =
      String.join(
          "\r\n",
          "HTTP/1.1 200 OK",
          "Transfer-Encoding: chunked",
          "",
          "3",
          "hel",
          "0000002;x=y",
          "lo",
          "0",
          "Some: trailer",
          "",
          "");

  private final List<String> answers = new ArrayList<>();
  private final StringBuilder body = new StringBuilder();
  private final ResponseParser parser = new ResponseParser(new Recorder());

  private final class Recorder implements ResponseParser.Sink {
    private int status;

    @Override
    public void head(int answered) {
      status = answered;
    }

    @Override
    public void body(ByteBuf in, int length) {
      body.append(in.readCharSequence(length, StandardCharsets.US_ASCII));
    }

    @Override
    public void end(boolean keepAlive) {
      answers.add(status + " " + body + (keepAlive ? "" : ", closes"));
      body.setLength(0);
    }
  }

  private void read(String text) {
    ByteBuf in = Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    parser.read(in);
    assertThat(in.isReadable()).isFalse();
    in.release();
  }

  @Test
  void anAnswerMayComeInPiecesOfAnyLength() {
    inPieces(PLAIN);
    inPieces(CHUNKED);
  }

  private void inPieces(String answer) {
    for (int piece = 1; piece <= answer.length(); piece++) {
      answers.clear();
      for (int at = 0; at < answer.length(); at += piece) {
        read(answer.substring(at, Math.min(answer.length(), at + piece)));
      }
      assertThat(answers).singleElement().asString().endsWith(" hello");
      assertThat(parser.isBetweenAnswers()).isTrue();
    }
  }

  @Test
  void answersMayFollowEachOtherInOnePiece() {
    read(PLAIN + CHUNKED + "HTTP/1.1 204 No Content\r\n\r\n" + PLAIN);
    assertThat(answers).containsExactly("206 hello", "200 hello", "204 ", "206 hello");
  }

  @Test
  void namesOfFieldsAreReadInAnyCase() {
    read("HTTP/1.1 200 OK\r\nX: y\r\ncontent-LENGTH:2\r\nconnection: Close\r\n\r\nok");
    assertThat(answers).containsExactly("200 ok, closes");
  }

  @Test
  void anInterimAnswerIsNone() {
    read("HTTP/1.1 100 Continue\r\n\r\n" + PLAIN);
    assertThat(answers).containsExactly("206 hello");
  }

  @Test
  void aHeadMayBeLongerThanWhatIsReadAtOnce() {
    read("HTTP/1.1 200 OK\r\nX: " + "y".repeat(5000) + "\r\nContent-Length: 0\r\n\r\n");
    assertThat(answers).containsExactly("200 ");
  }

  @Test
  void halfAnAnswerIsNotBetweenAnswers() {
    read(PLAIN.substring(0, 7));
    assertThat(parser.isBetweenAnswers()).isFalse();
    assertThat(answers).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0 hello there\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"
      })
  void whatIsNoAnswerIsRefused(String text) {
    assertThatExceptionOfType(ResponseParser.MalformedException.class).isThrownBy(() -> read(text));
  }

  @Test
  void aHeadWithoutAnEndIsRefused() {
    assertThatExceptionOfType(ResponseParser.MalformedException.class)
        .isThrownBy(() -> read("HTTP/1.1 200 OK\r\nX: " + "y".repeat(20_000)));
  }
}

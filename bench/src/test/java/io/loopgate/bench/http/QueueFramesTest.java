package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueFramesTest {
  private final List<String> completions = new ArrayList<>();
  private final StringBuilder payload = new StringBuilder();
  private final QueueFrames frames = new QueueFrames(new Recorder());

  private final class Recorder implements QueueFrames.Sink {
    private String begun = "";

    @Override
    public void begin(long tag, int status) {
      begun = tag + " " + status;
    }

    @Override
    public void payload(ByteBuf in, int length) {
      payload.append(in.readCharSequence(length, StandardCharsets.US_ASCII));
    }

    @Override
    public void end() {
      completions.add(begun + " " + payload);
      payload.setLength(0);
    }
  }

  private static ByteBuf completion(String magic, int status, long tag, String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.US_ASCII);
    ByteBuf out = Unpooled.buffer();
    out.writeCharSequence(magic, StandardCharsets.US_ASCII);
    return out.writeShort(status)
        .writeShort(0)
        .writeLong(tag)
        .writeLong(77)
        .writeInt(bytes.length)
        .writeInt(0)
        .writeBytes(bytes);
  }

  @Test
  void completionsMayComeInPiecesOfAnyLength() {
    ByteBuf all =
        Unpooled.wrappedBuffer(
            completion("LGRP", 0, 5, "hello"),
            completion("LGRP", 416, 6, ""),
            completion("LGRP", 60_000, -1, ""));
    for (int piece = 1; piece <= all.readableBytes(); piece++) {
      completions.clear();
      ByteBuf in = all.duplicate();
      while (in.isReadable()) {
        frames.read(in, Math.min(piece, in.readableBytes()));
      }
      assertThat(completions).containsExactly("5 0 hello", "6 416 ", "-1 60000 ");
    }
  }

  @Test
  void whatIsNoCompletionIsRefused() {
    ByteBuf in = completion("LGRQ", 0, 5, "");
    assertThatExceptionOfType(ResponseParser.MalformedException.class)
        .isThrownBy(() -> frames.read(in, in.readableBytes()));
  }
}

package io.loopgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.block.BlockOp;
import io.loopgate.it.QueueWire;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class QueueParserTest {
  private static final int MAX_IO = 1 << 20;

  /** What a frame says. */
  record Frame(int op, boolean fua, long tag, long offset, int length, int crc) {
    byte[] bytes() {
      ByteBuffer out =
          ByteBuffer.allocate(QueueWire.FRAME_BYTES + (op == QueueWire.WRITE ? length : 0));
      QueueWire.putCommand(out, op, fua ? 1 : 0, tag, offset, length, crc);
      return out.array();
    }
  }

  @Provide
  Arbitrary<Frame> frames() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 4),
            Arbitraries.of(true, false),
            Arbitraries.longs().filter(tag -> tag != -1),
            Arbitraries.longs(),
            Arbitraries.integers().between(0, 100),
            Arbitraries.integers())
        .as(Frame::new);
  }

  /** Whatever the pieces, the same frames come out, and payloads are left alone. */
  @Property
  void piecesOfAnySizeGiveTheSameFrames(
      @ForAll List<@net.jqwik.api.From("frames") Frame> sent,
      @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 70) Integer> sizes) {
    byte[] all = QueueWire.join(sent.stream().map(Frame::bytes).toArray(byte[][]::new));
    QueueParser parser = new QueueParser(MAX_IO);
    List<Frame> got = new ArrayList<>();
    int skip = 0;
    int at = 0;
    for (int i = 0; at < all.length; i++) {
      int length = Math.min(sizes.get(i % sizes.size()), all.length - at);
      ByteBuf piece = Unpooled.wrappedBuffer(all, at, length);
      at += length;
      while (piece.isReadable()) {
        int skipped = Math.min(skip, piece.readableBytes());
        piece.skipBytes(skipped);
        skip -= skipped;
        if (piece.isReadable() && parser.read(piece)) {
          got.add(decoded(parser));
          skip = parser.op() == BlockOp.WRITE ? parser.lengthBytes() : 0;
        }
      }
    }
    assertThat(got).isEqualTo(sent);
    assertThat(parser.isAmidFrame()).isFalse();
  }

  private static Frame decoded(QueueParser parser) {
    assertThat(parser.isWellFormed()).isTrue();
    int op =
        switch (parser.op()) {
          case READ -> 0;
          case WRITE -> 1;
          case FLUSH -> 2;
          case DISCARD -> 3;
          case ZERO -> 4;
        };
    return new Frame(
        op, parser.fua(), parser.tag(), parser.offsetBytes(), parser.lengthBytes(), parser.crc());
  }

  private static boolean isWellFormed(Consumer<ByteBuffer> change) {
    ByteBuffer frame = ByteBuffer.wrap(QueueWire.read(7, 512, 4096));
    change.accept(frame);
    QueueParser parser = new QueueParser(MAX_IO);
    assertThat(parser.read(Unpooled.wrappedBuffer(frame.array()))).isTrue();
    return parser.isWellFormed();
  }

  @Test
  void whatIsNoCommandIsMalformed() {
    assertThat(isWellFormed(frame -> {})).isTrue();
    assertThat(isWellFormed(frame -> frame.put(0, (byte) 'l'))).isFalse();
    assertThat(isWellFormed(frame -> frame.put(3, (byte) 'P'))).isFalse();
    assertThat(isWellFormed(frame -> frame.put(4, (byte) 5))).isFalse();
    assertThat(isWellFormed(frame -> frame.put(4, (byte) 0xff))).isFalse();
    assertThat(isWellFormed(frame -> frame.put(5, (byte) 1))).isTrue();
    assertThat(isWellFormed(frame -> frame.put(5, (byte) 2))).isFalse();
    assertThat(isWellFormed(frame -> frame.put(5, (byte) 0x81))).isFalse();
    assertThat(isWellFormed(frame -> frame.putShort(6, (short) 1))).isFalse();
    assertThat(isWellFormed(frame -> frame.putShort(6, (short) 0x8000))).isFalse();
    assertThat(isWellFormed(frame -> frame.putLong(8, -2))).isTrue();
    assertThat(isWellFormed(frame -> frame.putLong(8, -1))).isFalse();
    assertThat(isWellFormed(frame -> frame.putLong(16, -1))).isTrue();
    assertThat(isWellFormed(frame -> frame.putInt(24, MAX_IO))).isTrue();
    assertThat(isWellFormed(frame -> frame.putInt(24, MAX_IO + 1))).isFalse();
    assertThat(isWellFormed(frame -> frame.putInt(24, -1))).isFalse();
  }

  @Test
  void itKnowsWhetherItIsAmidAFrame() {
    QueueParser parser = new QueueParser(MAX_IO);
    byte[] frame = QueueWire.read(1, 0, 1);
    assertThat(parser.isAmidFrame()).isFalse();
    assertThat(parser.read(Unpooled.wrappedBuffer(frame, 0, 31))).isFalse();
    assertThat(parser.isAmidFrame()).isTrue();
    assertThat(parser.read(Unpooled.wrappedBuffer(frame, 31, 1))).isTrue();
    assertThat(parser.isAmidFrame()).isFalse();
  }

  @Test
  void aCompletionIsWhatTheContractSays() {
    byte[] bytes = new byte[QueueFrames.FRAME_BYTES + 3];
    byte[] payload = {'a', 'b', 'c'};
    ByteBuf out = Unpooled.wrappedBuffer(bytes);
    QueueFrames.setCompletion(out, 0, 65_535, -5, 1L << 40, 3, QueueWire.crc32c(payload));
    out.setBytes(QueueFrames.FRAME_BYTES, payload);
    QueueWire.Completion read = QueueWire.completions(bytes).getFirst();
    assertThat(read.status()).isEqualTo(65_535);
    assertThat(read.tag()).isEqualTo(-5);
    assertThat(read.sequence()).isEqualTo(1L << 40);
    assertThat(read.payload()).isEqualTo(payload);
    assertThat(read.crc()).isNotZero();
  }
}

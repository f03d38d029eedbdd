package io.loopgate.bench.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 7, 10, 99, 100, 4095, 1_234_567_890, Long.MAX_VALUE})
  void aNumberIsWrittenAsAnybodyWould(long number) {
    ByteBuf out = Unpooled.buffer(1).writeByte('=');
    Digits.append(out, number);
    assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("=" + number);
  }
}

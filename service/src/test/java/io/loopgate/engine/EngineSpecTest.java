package io.loopgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineSpecTest {
  @ParameterizedTest
  @CsvSource({
    "single, single, '', single",
    "workers:4, workers, 4, workers:4",
    "polled:batch, polled, batch, polled:batch",
    "' workers : 4 ', workers, 4, workers:4",
    "a:b:c, a, b:c, a:b:c",
    "workers:, workers, '', workers",
    "'', '', '', ''",
  })
  void splitsAtTheFirstColon(String text, String name, String argument, String again) {
    EngineSpec spec = EngineSpec.parse(text);
    assertThat(spec).isEqualTo(new EngineSpec(name, argument)).hasToString(again);
    assertThat(EngineSpec.parse(spec.toString())).isEqualTo(spec);
  }
}

package io.loopgate.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.loopgate.bench.control.Stop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolTest {
  @Test
  void aProgramAnswersWithCodeAndText() {
    Tool.Result result =
        Tool.run(List.of("sh", "-c", "echo out; echo; echo err >&2; exit 3"), new Stop());
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.out()).isEqualTo("out\n\n");
    assertThat(result.firstErrorLine()).isEqualTo("err");
  }

  @Test
  void aProgramThatDoesNotExistIsNoException() {
    Tool.Result result = Tool.run(List.of("no-such-program-here"), new Stop());
    assertThat(result.code()).isEqualTo(127);
    assertThat(result.firstErrorLine()).contains("no-such-program-here");
  }

  @Test
  void aWishToStopEndsTheProgram() {
    Stop stop = new Stop();
    stop.request();
    Tool.Result result = Tool.run(List.of("sleep", "3600"), stop);
    assertThat(result.code()).isNotZero();
  }

  @Test
  void aProgramThatIsToldToEndMayStillWrite(@TempDir Path folder) {
    Stop stop = new Stop();
    Path ready = folder.resolve("ready");
    String script =
        "trap 'echo late; exit 5' TERM; touch '" + ready + "'; while :; do sleep 0.05; done";
    Thread.ofVirtual()
        .start(
            () -> {
              while (!Files.exists(ready)) {
                Thread.onSpinWait();
              }
              stop.request();
            });
    Tool.Result result = Tool.run(List.of("bash", "-c", script), stop);
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.out()).isEqualTo("late\n");
  }

  @Test
  void processorsAreThoseOfTheKernel() {
    String allowed = Processors.allowed();
    assertThat(allowed).matches("[0-9,-]+");
    Processors.allow(allowed);
    assertThat(Processors.allowed()).isEqualTo(allowed);
    assertThat(Processors.count(allowed)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0-3,4", "'0-1,6',3", "'1,3,5',3"})
  void processorsOfAListAreCounted(String list, int count) {
    assertThat(Processors.count(list)).isEqualTo(count);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "0-", "0,,1", "-1"})
  void whatIsNoListIsRefused(String list) {
    assertThatIllegalArgumentException().isThrownBy(() -> Processors.count(list));
  }
}

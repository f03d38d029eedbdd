package io.loopgate.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.loopgate.bench.control.Stop;
import java.util.List;
import org.junit.jupiter.api.Test;

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
  void processorsAreThoseOfTheKernel() {
    String allowed = Processors.allowed();
    assertThat(allowed).matches("[0-9,-]+");
    Processors.allow(allowed);
    assertThat(Processors.allowed()).isEqualTo(allowed);
  }
}
